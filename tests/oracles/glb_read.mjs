// What the Khronos validator and three.js say about our GLB files.
//
//     node glb_read.mjs NODE_MODULES < requests > answers
//
// A request is a line of JSON {"file": path of the GLB, "frames": [index, ...]}; so is its answer:
// {"file", "nodes": [{"name", "parent", "end"}], "positions": [[[x, y, z] per node] per frame]} of the nodes that are no mesh, as a
// player poses them, or {"file", "error"} with what the validator found: errors and warnings both count.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const modules = pathToFileURL(`${process.argv[2]}/`).href;
const { validateBytes } = createRequire(modules)(`${process.argv[2]}/gltf-validator`);
globalThis.self = globalThis; // The loader is written for browsers.
const THREE = await import(`${modules}three/build/three.module.js`);
const { GLTFLoader } = await import(`${modules}three/examples/jsm/loaders/GLTFLoader.js`);

for await (const line of createInterface({ input: process.stdin })) {
    if (line.trim() === '') continue;
    const request = JSON.parse(line);
    let answer;
    try {
        answer = await read(request);
    } catch (error) {
        answer = { file: request.file, error: String(error.message ?? error) };
    }
    process.stdout.write(JSON.stringify(answer) + '\n');
}

async function read({ file, frames }) {
    const bytes = readFileSync(file);
    const { issues } = await validateBytes(new Uint8Array(bytes), { maxIssues: 100 });
    if (issues.numErrors + issues.numWarnings > 0) {
        const told = issues.messages.filter((issue) => issue.severity < 2);
        const codes = told.slice(0, 5).map((issue) => `${issue.code} at ${issue.pointer}: ${issue.message}`);
        throw new Error(`validator: ${issues.numErrors} errors, ${issues.numWarnings} warnings: ${codes.join('; ')}`);
    }
    const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
    const gltf = await new GLTFLoader().parseAsync(buffer, '');
    const objects = [];
    gltf.scene.traverse((object) => {
        const node = gltf.parser.associations.get(object)?.nodes;
        if (node !== undefined && !object.isSkinnedMesh) objects[node] = object;
    });
    const nodes = objects.map((object) => ({
        name: object.name,
        parent: objects.indexOf(object.parent) < 0 ? null : objects.indexOf(object.parent),
        end: false,
    }));
    const clip = gltf.animations[0];
    if (clip === undefined) return { file, nodes, positions: [] };
    const mixer = new THREE.AnimationMixer(gltf.scene);
    const action = mixer.clipAction(clip);
    action.setLoop(THREE.LoopOnce);
    action.clampWhenFinished = true;
    const times = clip.tracks[0].times;
    const positions = frames.map((frame) => {
        action.reset().play();
        mixer.setTime(times[frame]);
        gltf.scene.updateMatrixWorld(true);
        return objects.map((object) => object.matrixWorld.elements.slice(12, 15));
    });
    return { file, nodes, positions };
}
