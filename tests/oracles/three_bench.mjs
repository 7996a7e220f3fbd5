// How long three.js takes to load a BVH and to pose all its frames; the best of N.
//
//     node three_bench.mjs NODE_MODULES FILE REPEATS
//
// Prints {"name", "load_secs", "fk_secs"}: processor seconds of the whole process, its garbage collection included, so that
// the comparison is one of work and other programs on the machine do not count. Posing is what a player does: the mixer
// sets the time of each frame and the
// matrices of the whole figure are updated.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const [modules, file, repeats] = process.argv.slice(2);
const three = pathToFileURL(`${modules}/three/`).href;
const THREE = await import(`${three}build/three.module.js`);
const { BVHLoader } = await import(`${three}examples/jsm/loaders/BVHLoader.js`);
const text = readFileSync(file, 'utf8');

let loaded;
const loadSecs = best(() => { loaded = new BVHLoader().parse(text); });

const root = loaded.skeleton.bones[0];
const mixer = new THREE.AnimationMixer(root);
mixer.clipAction(loaded.clip).play();
const times = loaded.clip.tracks[0].times;
const fkSecs = best(() => {
    for (const time of times) {
        mixer.setTime(time);
        root.updateMatrixWorld(true);
    }
});

console.log(JSON.stringify({ name: `three.js r${THREE.REVISION}`, load_secs: loadSecs, fk_secs: fkSecs }));

function best(work) {
    let secs = Infinity;
    for (let i = 0; i < Number(repeats); i++) {
        const started = busySecs();
        work();
        secs = Math.min(secs, busySecs() - started);
    }
    return secs;
}

function busySecs() {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
}
