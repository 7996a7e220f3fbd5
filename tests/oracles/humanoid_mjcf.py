"""The humanoid of a text file as a model of MuJoCo that stands, at 1/480 s.

    python humanoid_mjcf.py MODEL air|ground > model.xml

A line of MODEL is `name parent jx jy jz mass cx cy cz Ixx Iyy Izz`. Joints are damped as the figure of `simulation_bench.c` is sprung;
only the feet touch.
"""

import sys


def main():
    path, where = sys.argv[1:]
    with open(path) as file:
        bodies = [line.split() for line in file if line.strip()]
    children = {}
    for body in bodies:
        children.setdefault(body[1], []).append(body)
    is_air = where == "air"
    print("<mujoco>")
    print(f'  <option timestep="{1 / 480!r}" integrator="implicitfast" gravity="0 0 {0 if is_air else -9.81}"/>')
    print("  <worldbody>")
    if not is_air:
        print('    <geom type="plane" size="50 50 1"/>')
    for body in children["-"]:
        write(body, children, is_air, "    ")
    print("  </worldbody>\n</mujoco>")


def below_kg(body, children):
    return float(body[5]) + sum(below_kg(child, children) for child in children.get(body[0], []))


def write(body, children, is_air, indent):
    name, parent, jx, jy, jz, mass, cx, cy, cz, ixx, iyy, izz = body
    place = "0 0 0.928" if parent == "-" else f"{jx} {jy} {jz}"
    damping = 0.06 * min(500.0, 12.0 * below_kg(body, children) + 10.0)
    print(f'{indent}<body name="{name}" pos="{place}">')
    print(f"{indent}  <freejoint/>" if parent == "-" else f'{indent}  <joint type="ball" damping="{damping!r}"/>')
    print(f'{indent}  <inertial pos="{cx} {cy} {cz}" mass="{mass}" diaginertia="{ixx} {iyy} {izz}"/>')
    if name.startswith("foot") and not is_air:
        print(f'{indent}  <geom type="box" pos="0.07 0 -0.034" size="0.13 0.045 0.034" friction="0.8" contype="1" conaffinity="0"/>')
    for child in children.get(name, []):
        write(child, children, is_air, indent + "  ")
    print(f"{indent}</body>")


main()
