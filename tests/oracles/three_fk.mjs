// World positions of every node of BVH files as three.js reads them.
//
//     node three_fk.mjs NODE_MODULES < requests > answers
//
// A request is a line of JSON {"file": path, "frames": [index, ...]}; so is its answer:
// {"file", "frame_count", "nodes": [{"name", "parent", "end"}], "positions": [[[x, y, z] per node] per frame]}
// or {"file", "error"}. A frame that three.js did not load is null.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const three = pathToFileURL(`${process.argv[2]}/three/`).href;
const { BVHLoader } = await import(`${three}examples/jsm/loaders/BVHLoader.js`).catch(
    // The loader imports 'three' by name, which only resolves from inside the folder of the modules.
    (error) => { throw new Error(`no three.js below ${process.argv[2]}: ${error.message}`); });

// Complaints are part of the answer: three.js logs an error and goes on with what it has.
const complaints = [];
console.error = console.warn = (...words) => complaints.push(words.join(' '));

for await (const line of createInterface({ input: process.stdin })) {
    if (line.trim() === '') continue;
    const request = JSON.parse(line);
    let answer;
    try {
        answer = positions(request);
    } catch (error) {
        answer = { file: request.file, error: String(error.message ?? error) };
    }
    process.stdout.write(JSON.stringify(answer) + '\n');
}

function positions({ file, frames }) {
    complaints.length = 0;
    const { skeleton, clip } = new BVHLoader().parse(readFileSync(file, 'latin1'));
    if (complaints.length > 0) throw new Error(complaints[0]);
    const bones = skeleton.bones;
    const nodes = bones.map((bone) => ({
        name: bone.name,
        parent: bones.includes(bone.parent) ? bones.indexOf(bone.parent) : null,
        end: bone.name === 'ENDSITE',
    }));
    const frameCount = Math.max(0, ...clip.tracks.map((track) => track.times.length));
    return {
        file,
        frame_count: frameCount,
        nodes,
        positions: frames.map((frame) => (frame < frameCount ? posed(bones, clip, frame) : null)),
    };
}

// The loader makes a position and a rotation track for each bone that is no end site, in the order of the bones.
// The keys go to the bones directly: the mixer would find bones by name, and names can repeat or hold dots.
function posed(bones, clip, frame) {
    const moving = bones.filter((bone) => bone.name !== 'ENDSITE');
    moving.forEach((bone, index) => {
        bone.position.fromArray(clip.tracks[2 * index].values, 3 * frame);
        bone.quaternion.fromArray(clip.tracks[2 * index + 1].values, 4 * frame);
    });
    bones[0].updateMatrixWorld(true);
    return bones.map((bone) => bone.matrixWorld.elements.slice(12, 15));
}
