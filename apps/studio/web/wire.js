// The server: requests, packets of numbers, and the line that stays open.
import { emit } from './store.js';

export class Refused extends Error {
  constructor(status, message) { super(message); this.status = status; }
}

export async function ask(path, body) {
  const options = body === undefined ? {} : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  let response;
  try { response = await fetch(path, options); } catch { throw new Refused(0, 'the studio does not answer; is it still running in its terminal?'); }
  if (response.ok) return response.json();
  throw new Refused(response.status, await reason(response));
}

async function reason(response) {
  const text = await response.text();
  try { return JSON.parse(text).error ?? text; } catch { return text || `answered with ${response.status}`; }
}

export async function upload(file) {
  const response = await fetch(`/api/upload?name=${encodeURIComponent(file.name)}`, { method: 'POST', body: file });
  if (!response.ok) throw new Refused(response.status, await reason(response));
  return (await response.json()).name;
}

/** `[length of the header][header][padding][floats]`, see packet.rs. */
export function decode(buffer) {
  const length = new DataView(buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  const start = 4 + 4 * Math.ceil(length / 4);
  for (const [name, [at, count]] of Object.entries(header.arrays)) header.arrays[name] = new Float32Array(buffer, start + 4 * at, count);
  return header;
}

export async function motion(which) {
  const response = await fetch(`/api/motion/${which}`);
  if (!response.ok) throw new Refused(response.status, await reason(response));
  const revision = Number(response.headers.get('x-revision'));
  return { revision, ...decode(await response.arrayBuffer()) };
}

let socket = null;
let retry = 250;

/** Keeps a line open; when it breaks, tries again, and asks for everything anew. */
export function connect() {
  socket = new WebSocket(`ws://${location.host}/api/live`);
  socket.binaryType = 'arraybuffer';
  socket.onopen = () => { retry = 250; emit('online', true); };
  socket.onmessage = ({ data }) => {
    if (typeof data !== 'string') { const packet = decode(data); emit(packet.type, packet); return; }
    const event = JSON.parse(data);
    // “state” is what the page itself calls its new state.
    emit(event.type === 'state' ? 'stale' : event.type, event);
  };
  socket.onclose = () => {
    emit('online', false);
    setTimeout(connect, retry);
    retry = Math.min(2 * retry, 4000);
  };
}

export function send(message) {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
}
