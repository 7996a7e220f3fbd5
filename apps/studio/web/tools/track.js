// The track tool: the motion played by a simulated body whose joints are driven.
import { store, on, copy } from '../store.js';
import { el, fill, choice, check, slider } from '../dom.js';
import { tune } from '../stack.js';
import { view } from '../main.js';
import { marks, moved, scenePanel } from './scene.js';

let open = null;
on('handle-drop', (handle, to) => { if (handle.prop !== undefined || handle.partner !== undefined) open?.drop(handle, to); });
on('motion', () => open?.place());

export function trackTool(index, edit, record) {
  let now = copy(edit);
  const panel = el('div');
  const commit = (label, mutate) => { mutate(now); tune(index, label, (it) => { Object.keys(it).forEach((key) => { if (key !== 'verb') delete it[key]; }); Object.assign(it, copy(now)); }); };

  const inScene = (label, mutate) => commit(label, (it) => { it.scene ??= {}; mutate(it.scene); if (!it.scene.prop?.length && !it.scene.character?.length && !it.scene.task?.length && !it.scene.reach?.length) delete it.scene; });
  const place = () => { if (!view.grabbed) view.setHandles(marks(now.scene, store.original?.floor ?? 0)); };

  function build(step) {
    const report = step?.track?.report;
    const isAuto = now.stiffness === 'auto';
    const character = typeof now.character === 'string' ? now.character : now.character ? 'own' : 'none';
    fill(panel,
      choice('Drives', [['upper', 'the upper body'], ['upper-stiff-back', 'arms on a stiff back'], ['full', 'the whole body on its feet']], now.figure ?? 'upper', (value) => commit('figure chosen', (it) => { it.figure = value; })),
      choice('Character', [['none', 'their own body'], ['adult', 'adult'], ['child', 'child'], ['alien', 'alien'], ...(character === 'own' ? [['own', 'as in the project']] : [])], character, (value) => commit('character chosen', (it) => { if (value === 'none') delete it.character; else if (value !== 'own') it.character = value; })),
      check('Find the stiffness', isAuto, (value) => commit('stiffness chosen', (it) => { it.stiffness = value ? 'auto' : 4000; }), 'As stiff as smooth hands allow'),
      isAuto ? null : slider('Stiffness', { min: 200, max: 20000, step: 100, value: now.stiffness ?? 4000, unit: 's⁻²', onchange: (value) => commit('stiffness changed', (it) => { it.stiffness = value; }) }),
      typeof now.damping === 'string' ? null : slider('Damping', { min: 0.1, max: 2, step: 0.05, value: now.damping ?? 1, unit: '× critical', onchange: (value) => commit('damping changed', (it) => { it.damping = value; }) }),
      choice('Pelvis and legs', [['follow', 'follow the motion'], ['captured', 'as captured'], ['held', 'held']], now.lower ?? 'follow', (value) => commit('legs chosen', (it) => { it.lower = value; })),
      now.figure === 'full' ? choice('Stance', [['hold', 'holds its first pose'], ['captured', 'as captured']], now.stance ?? 'hold', (value) => commit('stance chosen', (it) => { it.stance = value; })) : null,
      scenePanel(now.scene, inScene),
      report ? el('table', {}, el('tbody', {},
        el('tr', {}, el('td', {}, 'error, mean'), el('td', {}, `${report.mean_error_deg.toFixed(1)}°`)),
        el('tr', {}, el('td', {}, 'error, root mean square'), el('td', {}, `${report.rms_error_deg.toFixed(1)}°`)),
        el('tr', {}, el('td', {}, 'stiffness'), el('td', {}, `${report.stiffness_per_s2.toFixed(0)} s⁻²`)),
        el('tr', {}, el('td', {}, 'things that touched'), el('td', {}, String(step.track.contacts.length))))) : null,
      el('p.muted', {}, 'The ghost is the motion it follows.'));
  }
  build(record);
  open = { panel, place, drop(handle, to) { inScene('put elsewhere', (scene) => moved(scene, handle, to)); }, update(next, step) { now = copy(next); build(step); place(); }, close() { open = null; view.setHandles(null); } };
  place();
  return open;
}
