//! MuJoCo's model files (MJCF): a tree of bodies with masses and shapes, written.
//!
//! The structs here are plain data that `project` fills from a skeleton and its masses; this crate knows no physics.
//! Lengths are metres, masses kilograms. MuJoCo's world has Z up, ours Y: [`MjcfModel::write`] turns the roots,
//! everything below them is relative.

use std::fmt::Write as _;

use glam::{DQuat, DVec3};

/// How a body may move relative to its parent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MjcfJoint {
    /// Freely; for bodies of the world only.
    Free,
    /// About a point.
    Ball,
    /// About an axis in the body's own frame.
    Hinge(DVec3),
    /// Not at all.
    Fixed,
}

/// A shape in the body's frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MjcfShape {
    /// All points within a radius of a line.
    Capsule {
        /// One end of the line.
        start_m: DVec3,
        /// The other.
        end_m: DVec3,
        /// Of tube and caps.
        radius_m: f64,
    },
    /// A box.
    Box {
        /// Middle.
        centre_m: DVec3,
        /// `body_from_box`.
        rotation: DQuat,
        /// Half its sides.
        half_m: DVec3,
    },
    /// An ellipsoid.
    Ellipsoid {
        /// Middle.
        centre_m: DVec3,
        /// `body_from_ellipsoid`.
        rotation: DQuat,
        /// Semi-axes.
        half_m: DVec3,
    },
}

/// A body below another one, or below the world.
#[derive(Clone, Debug, PartialEq)]
pub struct MjcfBody {
    /// Unique.
    pub name: String,
    /// Index of a body before this one.
    pub parent: Option<usize>,
    /// Where its joint is in the parent's frame.
    pub offset_m: DVec3,
    /// `parent_from_body` while the joint is at zero.
    pub rest: DQuat,
    /// How it moves.
    pub joint: MjcfJoint,
    /// kg; zero for bodies that only carry others.
    pub mass_kg: f64,
    /// In the body's frame.
    pub com_m: DVec3,
    /// About the centre of mass in the body's axes: xx yy zz xy xz yz, kg·m².
    pub inertia: [f64; 6],
    /// What it looks like and touches with.
    pub shapes: Vec<MjcfShape>,
}

/// A whole file.
#[derive(Clone, Debug, PartialEq)]
pub struct MjcfModel {
    /// For people.
    pub name: String,
    /// m/s², downward.
    pub gravity: f64,
    /// Parents first.
    pub bodies: Vec<MjcfBody>,
    /// Configuration of all joints in body order at the start (MuJoCo's `qpos`, with our axes): position and rotation
    /// of free joints, rotations of balls, angles of hinges.
    pub start: Vec<MjcfPosition>,
}

/// Where a joint stands at the start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MjcfPosition {
    /// Of a free joint, in a world with Y up.
    Free(DVec3, DQuat),
    /// Of a ball.
    Ball(DQuat),
    /// Of a hinge, rad.
    Hinge(f64),
}

/// Y up to Z up.
fn z_up() -> DQuat {
    DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2)
}

impl MjcfModel {
    /// The file's text. Names are escaped; numbers are written so that they are read back as they are.
    pub fn write(&self) -> String {
        let mut text = String::new();
        let gravity = number(-self.gravity);
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "<mujoco model=\"{}\">\n  <compiler angle=\"radian\" autolimits=\"true\"/>\n  <option gravity=\"0 0 {gravity}\"/>\n  <worldbody>\n",
            escaped(&self.name),
        );
        text.push_str("    <light pos=\"0 0 4\" directional=\"true\"/>\n");
        text.push_str("    <geom name=\"floor\" type=\"plane\" size=\"0 0 0.05\" rgba=\"0.8 0.8 0.8 1\"/>\n");
        let mut open = 0;
        for (index, depth) in self.depth_first() {
            close(&mut text, &mut open, depth);
            self.body(index, depth, &mut text);
            open = depth + 1;
        }
        close(&mut text, &mut open, 0);
        text.push_str("  </worldbody>\n");
        if !self.start.is_empty() {
            let _ = write!(text, "  <keyframe>\n    <key name=\"start\" qpos=\"{}\"/>\n  </keyframe>\n", self.qpos());
        }
        text.push_str("</mujoco>\n");
        text
    }

    fn body(&self, index: usize, depth: usize, text: &mut String) {
        let body = &self.bodies[index];
        let indent = "  ".repeat(depth + 2);
        let (mut at_m, mut turn) = (body.offset_m, body.rest);
        if body.parent.is_none() {
            (at_m, turn) = (z_up() * at_m, z_up() * turn);
        }
        let name = escaped(&body.name);
        let _ = writeln!(text, "{indent}<body name=\"{name}\" pos=\"{}\" quat=\"{}\">", vector(at_m), quaternion(turn));
        match body.joint {
            MjcfJoint::Free => {
                let _ = writeln!(text, "{indent}  <freejoint name=\"{name}\"/>");
            }
            MjcfJoint::Ball => {
                let _ = writeln!(text, "{indent}  <joint name=\"{name}\" type=\"ball\"/>");
            }
            MjcfJoint::Hinge(axis) => {
                let axis = vector(axis);
                let _ = writeln!(text, "{indent}  <joint name=\"{name}\" type=\"hinge\" axis=\"{axis}\"/>");
            }
            MjcfJoint::Fixed => {}
        }
        if body.mass_kg > 0.0 {
            let inertia = body.inertia.map(number).join(" ");
            let (mass, com) = (number(body.mass_kg), vector(body.com_m));
            let _ = writeln!(text, "{indent}  <inertial pos=\"{com}\" mass=\"{mass}\" fullinertia=\"{inertia}\"/>");
        }
        for shape in &body.shapes {
            let _ = writeln!(text, "{indent}  {}", geom(shape));
        }
    }

    /// Every body with its depth, each before what hangs below it: the file's order, and so MuJoCo's order of joints.
    /// Without recursion, because a file's chain may be as long as it likes.
    fn depth_first(&self) -> Vec<(usize, usize)> {
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); self.bodies.len()];
        let mut waiting: Vec<(usize, usize)> = Vec::new();
        for (index, body) in self.bodies.iter().enumerate().rev() {
            match body.parent {
                Some(parent) => children[parent].push(index),
                None => waiting.push((index, 0)),
            }
        }
        let mut order = Vec::with_capacity(self.bodies.len());
        while let Some((index, depth)) = waiting.pop() {
            order.push((index, depth));
            waiting.extend(children[index].iter().map(|&child| (child, depth + 1)));
        }
        order
    }

    fn qpos(&self) -> String {
        let mut positions = self.start.iter();
        let start: Vec<Option<&MjcfPosition>> = self
            .bodies
            .iter()
            .map(|body| if body.joint == MjcfJoint::Fixed { None } else { positions.next() })
            .collect();
        let mut words = Vec::new();
        for position in self.depth_first().into_iter().filter_map(|(index, _)| start[index]) {
            words.push(match *position {
                MjcfPosition::Free(at_m, turn) => {
                    format!("{} {}", vector(z_up() * at_m), quaternion(z_up() * turn))
                }
                MjcfPosition::Ball(turn) => quaternion(turn),
                MjcfPosition::Hinge(angle) => number(angle),
            });
        }
        words.join(" ")
    }
}

/// Ends bodies until `depth` of them are open.
fn close(text: &mut String, open: &mut usize, depth: usize) {
    while *open > depth {
        *open -= 1;
        let _ = writeln!(text, "{}</body>", "  ".repeat(*open + 2));
    }
}

/// Shapes collide with the floor, not with each other: neighbours overlap at every joint.
fn geom(shape: &MjcfShape) -> String {
    let kind = match *shape {
        // MuJoCo refuses a capsule without length.
        MjcfShape::Capsule { start_m, end_m, radius_m } if start_m.distance(end_m) < 1e-9 => {
            format!("type=\"sphere\" pos=\"{}\" size=\"{}\"", vector(start_m), number(radius_m))
        }
        MjcfShape::Capsule { start_m, end_m, radius_m } => {
            let (from, to) = (vector(start_m), vector(end_m));
            format!("type=\"capsule\" fromto=\"{from} {to}\" size=\"{}\"", number(radius_m))
        }
        MjcfShape::Box { centre_m, rotation, half_m } => {
            let (at, turn) = (vector(centre_m), quaternion(rotation));
            format!("type=\"box\" pos=\"{at}\" quat=\"{turn}\" size=\"{}\"", vector(half_m))
        }
        MjcfShape::Ellipsoid { centre_m, rotation, half_m } => {
            let (at, turn) = (vector(centre_m), quaternion(rotation));
            format!("type=\"ellipsoid\" pos=\"{at}\" quat=\"{turn}\" size=\"{}\"", vector(half_m))
        }
    };
    format!("<geom {kind} mass=\"0\" contype=\"0\" conaffinity=\"1\"/>")
}

/// The shortest text that reads back as the same number.
fn number(value: f64) -> String {
    format!("{value:?}")
}

fn vector(v: DVec3) -> String {
    format!("{} {} {}", number(v.x), number(v.y), number(v.z))
}

/// MuJoCo writes w first.
fn quaternion(q: DQuat) -> String {
    format!("{} {} {} {}", number(q.w), number(q.x), number(q.y), number(q.z))
}

fn escaped(name: &str) -> String {
    let mut safe = String::new();
    for letter in name.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            // XML 1.0 has no way to write other control characters.
            letter if letter.is_control() => safe.push('_'),
            letter => safe.push(letter),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(name: &str, parent: Option<usize>, joint: MjcfJoint) -> MjcfBody {
        MjcfBody {
            name: name.to_owned(),
            parent,
            offset_m: DVec3::Y,
            rest: DQuat::IDENTITY,
            joint,
            mass_kg: 2.0,
            com_m: DVec3::new(0.1, 0.2, 0.3),
            inertia: [0.1, 0.2, 0.3, 0.01, 0.02, 0.03],
            shapes: vec![MjcfShape::Capsule { start_m: DVec3::ZERO, end_m: DVec3::Y, radius_m: 0.05 }],
        }
    }

    #[test]
    fn bodies_nest_names_are_escaped_and_up_is_z() {
        let bodies = vec![
            body("hips \"<&>\"", None, MjcfJoint::Free),
            body("leg", Some(0), MjcfJoint::Ball),
            body("arm", Some(0), MjcfJoint::Hinge(DVec3::X)),
            body("foot", Some(1), MjcfJoint::Ball),
        ];
        let turn = DQuat::from_rotation_x(0.5);
        let start = vec![
            MjcfPosition::Free(DVec3::Y, DQuat::IDENTITY),
            MjcfPosition::Ball(turn),
            MjcfPosition::Hinge(0.25),
            MjcfPosition::Ball(DQuat::IDENTITY),
        ];
        let text = MjcfModel { name: "a".to_owned(), gravity: 9.81, bodies, start }.write();
        assert!(text.contains("name=\"hips &quot;&lt;&amp;&gt;&quot;\""), "{text}");
        let (leg, foot, arm) = (text.find("\"leg\""), text.find("\"foot\""), text.find("\"arm\""));
        assert!(leg < foot && foot < arm, "depth first: {text}");
        assert_eq!(text.matches("<body").count(), text.matches("</body>").count());
        // Y up becomes Z up at the root, and joints' positions come depth first: leg, foot, arm.
        let qpos = text.split("qpos=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
        let numbers: Vec<f64> = qpos.split(' ').map(|word| word.parse().unwrap()).collect();
        assert_eq!(numbers.len(), 7 + 4 + 4 + 1);
        assert!((numbers[2] - 1.0).abs() < 1e-15 && numbers[1].abs() < 1e-15, "{numbers:?}");
        assert_eq!((numbers[7], numbers[11], numbers[15]), (turn.w, 1.0, 0.25));
    }
}
