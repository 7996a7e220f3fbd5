// What everybody on the page shares: the project as the server has it, the motions, the time, and who wants to know.

const listeners = new Map();
export const on = (name, listener) => { if (!listeners.has(name)) listeners.set(name, []); listeners.get(name).push(listener); };
export const emit = (name, ...values) => (listeners.get(name) ?? []).forEach((listener) => listener(...values));

export const store = {
  /** As /api/state gives it. */
  state: null,
  /** Verbs with their parameters, as /api/verbs gives them. */
  verbs: null,
  /** Motions as decoded packets; `live` while a handle is dragged. */
  original: null,
  result: null,
  live: null,
  /** Seconds. */
  time: 0,
  playing: false,
  speed: 1,
  loop: true,
  /** Seconds that are played, or null for all. */
  interval: null,
  /** Index of the chosen entry of the stack. */
  chosen: null,
  /** Index of the link that is picked on the body. */
  link: 0,
  /** Stages that the timeline shows for the adapt tool: `{ spans: [{ start, end, words, kind, flight }], marks: [{ secs, words }] }`. */
  stages: null,
  online: false,
};

/** What is shown as the motion now. */
export const shown = () => store.live ?? store.result ?? store.original;

export const duration = () => Math.max(shown()?.duration ?? 0, 1e-3);

export function setTime(secs) {
  store.time = Math.min(Math.max(secs, 0), duration());
  emit('time');
}

/** Index of the last frame at or before a time, and how far it is to the next. */
export function frameAt(motion, secs) {
  const t = motion.arrays.t;
  let low = 0;
  let high = t.length - 1;
  while (low < high) { const middle = (low + high + 1) >> 1; if (t[middle] <= secs) low = middle; else high = middle - 1; }
  const next = Math.min(low + 1, t.length - 1);
  const gap = t[next] - t[low];
  return { frame: low, next, share: gap > 0 ? Math.min(Math.max((secs - t[low]) / gap, 0), 1) : 0 };
}

/** The nearest frame. */
export function nearest(motion, secs) {
  const { frame, next, share } = frameAt(motion, secs);
  return share < 0.5 ? frame : next;
}

export const copy = (value) => JSON.parse(JSON.stringify(value));
