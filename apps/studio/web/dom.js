// Elements, made without markup: names from files are text and never HTML.

/** `el('button.primary', { title: 'Save', onclick }, 'Save')` */
export function el(what, attributes = {}, ...children) {
  const [name, ...classes] = what.split('.');
  const element = document.createElement(name || 'div');
  if (classes.length) element.className = classes.join(' ');
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (key in element && key !== 'list' && typeof value !== 'string') element[key] = value;
    else element.setAttribute(key, value === true ? '' : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export const byId = (id) => document.getElementById(id);

export function fill(parent, ...children) {
  parent.replaceChildren(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
}

/** A slider with its label, number and unit; `oninput` while it moves, `onchange` when it rests. */
export function slider(label, { min, max, step, value, unit = '', oninput, onchange, help }) {
  const digits = Math.max(0, Math.ceil(-Math.log10(step)));
  const shown = el('output', {}, `${Number(value).toFixed(digits)} ${unit}`);
  const input = el('input', { type: 'range', min: String(min), max: String(max), step: String(step), 'aria-label': label, title: help ?? label });
  input.value = String(value);
  input.addEventListener('input', () => { shown.textContent = `${Number(input.value).toFixed(digits)} ${unit}`; oninput?.(Number(input.value)); });
  input.addEventListener('change', () => onchange?.(Number(input.value)));
  return el('label.slider', {}, el('span', {}, label), input, shown);
}

export function choice(label, options, value, onchange, help) {
  const select = el('select', { 'aria-label': label }, options.map(([key, words]) => el('option', { value: key }, words)));
  select.value = value;
  select.addEventListener('change', () => onchange(select.value));
  return el('label.row', { title: help }, el('span', {}, label), select);
}

export function check(label, checked, onchange, help) {
  const input = el('input', { type: 'checkbox' });
  input.checked = checked;
  input.addEventListener('change', () => onchange(input.checked));
  return el('label.check', { title: help }, input, el('span', {}, label));
}

export function number(label, { value, step = 'any', min, max, unit = '', usual, help, onchange }) {
  const input = el('input', { type: 'number', step: String(step), min, max, placeholder: usual, 'aria-label': label });
  input.value = value ?? '';
  input.addEventListener('change', () => onchange(input.value === '' ? null : Number(input.value)));
  return el('label.row', { title: help }, el('span', {}, label), input, unit ? el('span.unit', {}, unit) : null);
}

/** A field for a plain parameter of the table of verbs; null for others. `onchange` gets null where nothing is given. */
export function field({ kind, label, about, unit, min, max, words, required, default: usual }, value, onchange) {
  if (kind === 'number' || kind === 'whole') return number(label, { value: value ?? null, step: kind === 'whole' ? 1 : 'any', min, max, unit, usual: usual ?? undefined, help: about, onchange });
  if (kind === 'switch') return check(label, value ?? usual ?? false, onchange, about);
  if (kind !== 'choice') return null;
  const isFree = !required && usual === null;
  return choice(label, [...(isFree ? [['', '–']] : []), ...words.map(([word]) => [word, word])], value ?? usual ?? '', (it) => onchange(it || null), about);
}

/** A dialog; closes with Escape, or by what is done in it. */
export function dialog(title, ...content) {
  const box = el('dialog', { 'aria-label': title });
  const close = () => { box.close(); box.remove(); };
  box.append(el('header', {}, el('h2', {}, title), el('button.quiet', { onclick: close, 'aria-label': 'Close', title: 'Close (Esc)' }, '×')), ...content);
  box.addEventListener('close', () => box.remove());
  document.body.append(box);
  box.showModal();
  return { box, close };
}

/** Short words at the foot of the page; errors stay until they are put away. */
export function toast(text, kind = 'note', ...buttons) {
  const box = el(`div.toast.${kind}`, { role: kind === 'error' ? 'alert' : 'status' }, el('span', {}, text));
  const away = () => box.remove();
  for (const [words, action] of buttons) box.append(el('button', { onclick: () => { away(); action(); } }, words));
  box.append(el('button.quiet', { onclick: away, 'aria-label': 'Put away' }, '×'));
  byId('toasts').append(box);
  if (kind === 'note') setTimeout(away, 6000);
  return away;
}

/** Waits until nobody has called for a moment. */
export function settled(action, ms = 200) {
  let timer = 0;
  return (...values) => { clearTimeout(timer); timer = setTimeout(() => action(...values), ms); };
}

export const cm = (metres) => (metres === null || metres === undefined ? '–' : `${(100 * metres).toFixed(1)} cm`);

/** Whatever is asked for within a frame of the screen is done once, in the next one. */
export function perFrame(action) {
  let asked = false;
  return () => { if (!asked) { asked = true; requestAnimationFrame(() => { asked = false; action(); }); } };
}

/** The newest call wins, and calls are so many milliseconds apart. */
export function atMostEvery(ms, action) {
  let timer = 0;
  let newest = null;
  return (...values) => { newest = values; timer ||= setTimeout(() => { timer = 0; action(...newest); }, ms); };
}
