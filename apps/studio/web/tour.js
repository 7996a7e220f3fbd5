// Two minutes round the studio, and the keys.
import { el, byId, dialog } from './dom.js';

const STOPS = [
  ['#view', 'This is the motion', 'Space plays it. Drag to look around, the wheel zooms, right or middle button pans; Alt as in Maya works too. The disc on the ground is the zero-moment point: red where nobody could stand.'],
  ['#add', 'Edits are a stack', 'Press “+ Path”. Yellow handles appear on the way of the hips: drag one, or choose a circle to the left under “Way”. Times follow by themselves.'],
  ['#numbers', 'Physics, before and now', 'A bent walk that does not lean is out of balance: the light turns red, and the ZMP leaves the support.'],
  ['#add', 'Touch it up', 'Press “+ Touch-up”. The body leans into the bend, and the light turns green. Margin says how far inside the support it aims.'],
  ['#timeline', 'Time and contacts', 'Scrub here. Bars are feet on the ground: drag their ends where you know better, before any edit that changes times.'],
  ['#export', 'Take it with you', 'Export writes BVH, GLB or AMC. Save keeps the project, which “aplomb run” replays to the same bytes. Have fun.'],
];

export function startTour() {
  document.querySelector('.tour')?.remove();
  let at = 0;
  const box = el('div.tour', { role: 'dialog', 'aria-label': 'Tour' });
  document.body.append(box);
  const end = () => { document.querySelectorAll('.toured').forEach((it) => it.classList.remove('toured')); box.remove(); localStorage.setItem('toured', 'yes'); removeEventListener('keydown', keys); };
  const keys = (event) => { if (event.key === 'Escape') end(); };
  addEventListener('keydown', keys);
  const show = () => {
    document.querySelectorAll('.toured').forEach((it) => it.classList.remove('toured'));
    const [where, title, text] = STOPS[at];
    const target = document.querySelector(where);
    target?.classList.add('toured');
    const spot = (target ?? document.body).getBoundingClientRect();
    const left = spot.left > innerWidth / 2 ? spot.left - 340 : spot.right + 14;
    box.style.left = `${Math.max(10, Math.min(left, innerWidth - 340))}px`;
    box.style.top = `${Math.max(50, Math.min(spot.top + 10, innerHeight - 220))}px`;
    box.replaceChildren(el('h2', {}, title), el('p', {}, text), el('div.buttons', {},
      el('span.muted', {}, `${at + 1} of ${STOPS.length}`), el('span.stretch'),
      el('button.quiet', { onclick: end }, 'Enough'),
      at ? el('button', { onclick: () => { at -= 1; show(); } }, 'Back') : null,
      el('button.primary', { onclick: () => { at += 1; if (at < STOPS.length) show(); else end(); } }, at + 1 < STOPS.length ? 'Next' : 'Done')));
    box.querySelector('.primary').focus();
  };
  show();
}

const KEYS = [['Space', 'play or pause'], [', .', 'one frame back or on'], ['Home End', 'to the start or the end'], ['I U', 'play from here, to here'], ['L', 'loop'], ['Ctrl-Z', 'undo'], ['Ctrl-Shift-Z', 'redo'], ['Ctrl-S', 'save the project'], ['O', 'open'], ['E', 'export'],
  ['1 3 7', 'from the front, the side, above'], ['A F', 'all of the motion, the body'], ['Drag', 'look around; Shift or right button: pan; wheel: zoom'], ['Alt-drag', 'as in Maya: left orbits, middle pans, right zooms'], ['Middle drag', 'as in Blender: orbits; with Shift pans, with Ctrl zooms'], ['Click the body', 'picks a part, for its trail, its angle and touch-up steps'], ['?', 'this help']];

export function showHelp() {
  if (document.querySelector('dialog[aria-label="Keyboard and mouse"]')) return;
  const { box } = dialog('Keyboard and mouse');
  box.append(el('dl', {}, KEYS.flatMap(([key, words]) => [el('dt', {}, el('kbd', {}, key)), el('dd', {}, words)])));
}

byId('tour').addEventListener('click', startTour);
