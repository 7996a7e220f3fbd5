//! Everything above the legs, as angles people talk about (degrees), and the local rotations they mean.

use crate::human::{CLAVICLE, FOREARM, HAND, HEAD, HIPS, NECK, SPINE, UPPER_ARM};
use glam::DQuat;

/// One arm. Zero hangs straight down, palm to the thigh.
#[derive(Clone, Copy, Debug, Default)]
pub struct Arm {
    /// Shoulder girdle, up.
    pub clavicle: f64,
    /// Forward.
    pub flex: f64,
    /// Sideways, away from the body.
    pub abduct: f64,
    /// Upper arm about its own axis, forearm inwards.
    pub twist: f64,
    pub elbow: f64,
    /// Hand towards the palm.
    pub wrist: f64,
    /// Forearm about its own axis, palm back.
    pub pronate: f64,
}

/// Trunk, head and arms of one frame.
#[derive(Clone, Copy, Debug, Default)]
pub struct Posture {
    /// In flight: the whole body turned by this, in the world.
    pub spin: DQuat,
    /// Where the body faces, radians about Y.
    pub heading_rad: f64,
    /// Against the heading: yaw to the left, forward lean, left side up.
    pub pelvis_yaw: f64,
    pub pelvis_pitch: f64,
    pub pelvis_list: f64,
    pub spine_yaw: f64,
    pub spine_pitch: f64,
    pub spine_roll: f64,
    /// Share of the trunk's turning that neck and head take back.
    pub gaze: f64,
    /// Where the head looks, against the heading: nod down, turn left.
    pub head_pitch: f64,
    pub head_yaw: f64,
    pub arms: [Arm; 2],
}

impl Posture {
    /// World rotation of the pelvis.
    pub fn world_from_pelvis(&self) -> DQuat {
        self.spin * DQuat::from_rotation_y(self.heading_rad) * ypr(self.pelvis_yaw, self.pelvis_pitch, self.pelvis_list)
    }

    /// Writes the local rotations of all joints but the legs'.
    pub fn write(&self, rotations: &mut [DQuat]) {
        let pelvis = self.world_from_pelvis();
        rotations[HIPS] = pelvis;
        let mut world_from_chest = pelvis;
        for (joint, share) in SPINE.into_iter().zip([0.3, 0.35, 0.35]) {
            let local = ypr(share * self.spine_yaw, share * self.spine_pitch, share * self.spine_roll);
            rotations[joint] = local;
            world_from_chest *= local;
        }
        // Gaze: part of the rotation that brings the head back to the heading, half of it in the neck.
        let wanted = DQuat::from_rotation_y(self.heading_rad) * ypr(self.head_yaw, self.head_pitch, 0.0);
        let back = aplomb_motion::so3::log(world_from_chest.conjugate() * wanted) * self.gaze;
        let half = aplomb_motion::so3::exp(0.5 * back);
        (rotations[NECK], rotations[HEAD]) = (half, half);
        for (side, arm) in self.arms.iter().enumerate() {
            let locals = arm.locals();
            let joints = [CLAVICLE[side], UPPER_ARM[side], FOREARM[side], HAND[side]];
            for (joint, local) in joints.into_iter().zip(locals) {
                rotations[joint] = if side == 0 { local } else { mirrored(local) };
            }
        }
    }
}

impl Arm {
    /// Clavicle, upper arm, forearm and hand of a left arm. At rest it points along +X (T-pose).
    fn locals(&self) -> [DQuat; 4] {
        let x = |deg: f64| DQuat::from_rotation_x(deg.to_radians());
        let y = |deg: f64| DQuat::from_rotation_y(deg.to_radians());
        let z = |deg: f64| DQuat::from_rotation_z(deg.to_radians());
        // The girdle carries the arm with it; the arm's own angles are meant against the chest, so they undo it.
        let upper = z(-self.clavicle) * x(-self.flex) * z(self.abduct - 90.0) * x(self.twist);
        [z(self.clavicle), upper, y(-self.elbow) * x(self.pronate), z(-self.wrist)]
    }
}

/// Turn left, lean forward, left side up, in this order, degrees.
pub fn ypr(yaw: f64, pitch: f64, roll: f64) -> DQuat {
    DQuat::from_rotation_y(yaw.to_radians())
        * DQuat::from_rotation_x(pitch.to_radians())
        * DQuat::from_rotation_z(roll.to_radians())
}

/// Left and right exchanged: the mirror at x = 0.
fn mirrored(q: DQuat) -> DQuat {
    DQuat::from_xyzw(q.x, -q.y, -q.z, q.w)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;

    /// Direction of the left and right forearm against the chest.
    fn forearms(arm: Arm) -> [DVec3; 2] {
        let mut rotations = vec![DQuat::IDENTITY; crate::human::JOINTS];
        Posture { arms: [arm; 2], ..Posture::default() }.write(&mut rotations);
        [0, 1].map(|side| {
            let chain = rotations[CLAVICLE[side]] * rotations[UPPER_ARM[side]] * rotations[FOREARM[side]];
            chain * (DVec3::X * crate::human::SIDE_SIGN[side])
        })
    }

    #[test]
    fn arms_go_where_their_names_say() {
        let near = |a: DVec3, b: DVec3| (a - b).length() < 1e-12;
        let [left, right] = forearms(Arm { flex: 90.0, ..Arm::default() });
        assert!(near(left, DVec3::Z) && near(right, DVec3::Z));
        let [left, right] = forearms(Arm { elbow: 90.0, ..Arm::default() });
        assert!(near(left, DVec3::Z) && near(right, DVec3::Z));
        let [left, right] = forearms(Arm { abduct: 90.0, ..Arm::default() });
        assert!(near(left, DVec3::X) && near(right, DVec3::NEG_X));
        // Twisted inwards, a bent forearm points to the other side.
        let [left, right] = forearms(Arm { elbow: 90.0, twist: 90.0, ..Arm::default() });
        assert!(near(left, DVec3::NEG_X) && near(right, DVec3::X));
    }
}
