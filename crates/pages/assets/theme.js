'use strict';
// Light or dark: the system's choice until somebody says otherwise. Storage may be forbidden for files; then the choice lasts as long as the page.
const theme = (() => {
  const root = document.documentElement;
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const changed = [];
  // Style sheets ask for the class where two pictures stand for one.
  const tell = () => { root.classList.toggle('is-dark', isDark()); changed.forEach((call) => call()); };
  const stored = () => { try { return localStorage.getItem('aplomb-theme'); } catch { return null; } };
  const isDark = () => (root.dataset.theme ? root.dataset.theme === 'dark' : dark.matches);
  const set = (name) => {
    root.dataset.theme = name;
    try { localStorage.setItem('aplomb-theme', name); } catch { /* the choice is not kept */ }
    tell();
  };
  const first = stored();
  if (first === 'light' || first === 'dark') root.dataset.theme = first;
  dark.addEventListener('change', () => tell());
  tell();
  document.getElementById('theme').addEventListener('click', () => set(isDark() ? 'light' : 'dark'));
  return { isDark, onChange: (call) => changed.push(call) };
})();
