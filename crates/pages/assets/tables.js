// Tabs, and rows that jump to their time.

function addTables() {
  const tabs = [...document.querySelectorAll('[role="tab"]')];
  const panelOf = (tab) => document.getElementById(tab.getAttribute('aria-controls'));
  const select = (tab) => {
    for (const other of tabs) {
      const on = other === tab;
      other.setAttribute('aria-selected', String(on));
      other.tabIndex = on ? 0 : -1;
      panelOf(other).hidden = !on;
    }
  };
  tabs.forEach((tab, index) => {
    tab.addEventListener('click', () => select(tab));
    tab.addEventListener('keydown', (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      event.stopPropagation();
      const next = tabs[(index + step + tabs.length) % tabs.length];
      select(next);
      next.focus();
    });
  });
  // The first table that says something.
  const full = tabs.find((tab) => panelOf(tab).querySelector('tr.jump'));
  if (full) select(full);

  const rows = [...document.querySelectorAll('tr.jump')];
  const jump = (row) => {
    setPlaying(false);
    setTime(Number(row.dataset.secs));
    rows.forEach((other) => other.classList.toggle('now', other === row));
  };
  for (const row of rows) {
    row.addEventListener('click', () => jump(row));
    row.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter') return;
      event.preventDefault();
      jump(row);
    });
  }
}
