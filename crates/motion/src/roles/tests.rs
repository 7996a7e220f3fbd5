//! Name lists of the known families, written by us, and what each joint must become.
//!
//! Each list is a tree by indentation, one joint a line: `name = role`, `-` for no role.

use super::*;
use crate::channels::Channels;
use glam::DVec3;

/// Builds the skeleton of a list. Bones have human proportions by role, so that structure never contradicts the names.
fn skeleton_of(list: &str) -> (Skeleton, Vec<String>) {
    let mut builder = Skeleton::builder();
    let mut open: Vec<(usize, JointId)> = Vec::new();
    let mut expected = Vec::new();
    for line in list.lines().filter(|line| !line.trim().is_empty()) {
        let depth = line.len() - line.trim_start().len();
        let (name, role) = line.trim().split_once(" = ").expect("name = role");
        open.retain(|&(indent, _)| indent < depth);
        let parent = open.last().map(|&(_, joint)| joint);
        let joint = builder.add(parent, name.trim(), bone_m(role.trim()), Channels::default());
        open.push((depth, joint));
        expected.push(role.trim().to_owned());
    }
    (builder.build().unwrap(), expected)
}

fn bone_m(role: &str) -> DVec3 {
    let x = if role.starts_with("left") { 1.0 } else { -1.0 };
    match role.split_once('_').map_or(role, |(_, rest)| rest) {
        "thigh" => DVec3::new(0.1 * x, -0.05, 0.0),
        "shank" | "foot" => DVec3::new(0.0, -0.42, 0.0),
        "toe" => DVec3::new(0.0, -0.05, 0.15),
        "clavicle" => DVec3::new(0.03 * x, 0.1, 0.0),
        "upper_arm" => DVec3::new(0.15 * x, 0.0, 0.0),
        "forearm" | "hand" => DVec3::new(0.27 * x, 0.0, 0.0),
        _ => DVec3::new(0.0, 0.1, 0.0),
    }
}

fn shown(roles: &Roles, joint: JointId) -> String {
    roles.role(joint).map_or("-".to_owned(), |role| role.to_string())
}

#[track_caller]
fn check(list: &str, plan: BodyPlan, family: Option<&str>) -> Roles {
    let (skeleton, expected) = skeleton_of(list);
    let roles = Roles::detect_skeleton(&skeleton);
    let wrong: Vec<String> = skeleton
        .ids()
        .zip(&expected)
        .filter(|&(joint, expected)| shown(&roles, joint) != *expected)
        .map(|(joint, expected)| {
            let why = roles.assignment(joint).map_or("", |assignment| assignment.reason.as_str());
            format!("{}: {} ({why}), should be {expected}", skeleton.joint(joint).name, shown(&roles, joint))
        })
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!((roles.plan(), roles.family().map(|(name, _)| name)), (plan, family));
    roles
}

/// Lists give one side: `@` in names and `~` in roles become left, then right, subtree by subtree.
fn both_sides(list: &str, spell: fn(Side) -> &'static str) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut block: Vec<&str> = Vec::new();
    let flush = |block: &mut Vec<&str>, lines: &mut Vec<String>| {
        for side in Side::BOTH {
            lines.extend(block.iter().map(|line| line.replace('@', spell(side)).replace('~', &side.to_string())));
        }
        block.clear();
    };
    let indent = |line: &str| line.len() - line.trim_start().len();
    for line in list.lines() {
        if block.first().is_some_and(|first| indent(line) < indent(first)) {
            flush(&mut block, &mut lines);
        }
        if line.contains('~') || (line.contains('@') && line.trim_end().ends_with("= helper")) {
            block.push(line);
        } else {
            flush(&mut block, &mut lines);
            lines.push(line.to_owned());
        }
    }
    flush(&mut block, &mut lines);
    lines.join("\n")
}

fn letters(side: Side) -> &'static str {
    if side == Side::Left { "L" } else { "R" }
}

fn small_letters(side: Side) -> &'static str {
    if side == Side::Left { "l" } else { "r" }
}

fn words(side: Side) -> &'static str {
    if side == Side::Left { "Left" } else { "Right" }
}

fn small_words(side: Side) -> &'static str {
    if side == Side::Left { "left" } else { "right" }
}

#[test]
fn mixamo() {
    let list = "
mixamorig:Hips = hips
  mixamorig:Spine = spine_0
    mixamorig:Spine1 = spine_1
      mixamorig:Spine2 = spine_2
        mixamorig:Neck = neck_0
          mixamorig:Head = head
            mixamorig:HeadTop_End = helper
        mixamorig:@Shoulder = ~_clavicle
          mixamorig:@Arm = ~_upper_arm
            mixamorig:@ForeArm = ~_forearm
              mixamorig:@Hand = ~_hand
                mixamorig:@HandThumb1 = ~_thumb_1
                  mixamorig:@HandThumb2 = ~_thumb_2
                mixamorig:@HandPinky1 = ~_pinky_1
                  mixamorig:@HandPinky2 = ~_pinky_2
                    mixamorig:@HandPinky3 = ~_pinky_3
  mixamorig:@UpLeg = ~_thigh
    mixamorig:@Leg = ~_shank
      mixamorig:@Foot = ~_foot
        mixamorig:@ToeBase = ~_toe
          mixamorig:@Toe_End = helper";
    let roles = check(&both_sides(list, words), BodyPlan::Biped, Some("HumanIK"));
    assert_eq!(roles.ground_feet().len(), 2);
    assert!(roles.warnings().is_empty(), "{:?}", roles.warnings());
}

#[test]
fn motion_builder_with_reference_prefix_and_mesh_carriers() {
    let list = "
Character1_Reference = scene_root
  Character1_Hips = hips
    Character1_Spine = spine_0
      Character1_Spine1 = spine_1
        Character1_@Shoulder = ~_clavicle
          Character1_@Arm = ~_upper_arm
            Character1_@ForeArm = ~_forearm
              Character1_@Hand = ~_hand
            @_Radius_RIGMESH = helper
          @_Humerus_RIGMESH = helper
        Character1_Neck = neck_0
          Character1_Head = head
          Neck_RIGMESH = helper
        Torso = helper
      Spine = helper
    Character1_@UpLeg = ~_thigh
      Character1_@Leg = ~_shank
        Character1_@Foot = ~_foot
          Character1_@ToeBase = ~_toe
          @_Foot = helper
      @_Femur = helper
    Pelvis = helper";
    let roles = check(
        &both_sides(list, words).replace("Left_", "L_").replace("Right_", "R_"),
        BodyPlan::Biped,
        Some("HumanIK"),
    );
    let leg = roles.limb(Side::Left, LimbKind::Leg).unwrap();
    assert_eq!(leg.chain, [leg.root, leg.middle, leg.end]);
}

#[test]
fn vrm() {
    let list = "
Root = scene_root
  J_Bip_C_Hips = hips
    J_Bip_C_Spine = spine_0
      J_Bip_C_Chest = spine_1
        J_Bip_C_UpperChest = spine_2
          J_Bip_C_Neck = neck_0
            J_Bip_C_Head = head
              J_Bip_C_Jaw = jaw
              J_Bip_@_Eye = ~_eye
          J_Bip_@_Shoulder = ~_clavicle
            J_Bip_@_UpperArm = ~_upper_arm
              J_Bip_@_LowerArm = ~_forearm
                J_Bip_@_Hand = ~_hand
                  J_Bip_@_ThumbMetacarpal = ~_thumb_1
                    J_Bip_@_ThumbProximal = ~_thumb_2
                      J_Bip_@_ThumbDistal = ~_thumb_3
                  J_Bip_@_LittleProximal = ~_pinky_1
                    J_Bip_@_LittleIntermediate = ~_pinky_2
    J_Bip_@_UpperLeg = ~_thigh
      J_Bip_@_LowerLeg = ~_shank
        J_Bip_@_Foot = ~_foot
          J_Bip_@_Toes = ~_toe";
    check(&both_sides(list, letters), BodyPlan::Biped, Some("VRM or Bandai-Namco"));
    check(
        &both_sides(&list.replace("J_Bip_C_", "").replace("J_Bip_@_", "@"), small_words),
        BodyPlan::Biped,
        Some("VRM or Bandai-Namco"),
    );
}

#[test]
fn unreal() {
    let list = "
root = scene_root
  pelvis = hips
    spine_01 = spine_0
      spine_02 = spine_1
        spine_03 = spine_2
          clavicle_@ = ~_clavicle
            upperarm_@ = ~_upper_arm
              upperarm_twist_01_@ = helper
              lowerarm_@ = ~_forearm
                lowerarm_twist_01_@ = helper
                hand_@ = ~_hand
                  index_metacarpal_@ = helper
                    index_01_@ = ~_index_1
                      index_02_@ = ~_index_2
                  thumb_01_@ = ~_thumb_1
          neck_01 = neck_0
            neck_02 = neck_1
              head = head
    thigh_@ = ~_thigh
      thigh_twist_01_@ = helper
      calf_@ = ~_shank
        calf_twist_01_@ = helper
        foot_@ = ~_foot
          ball_@ = ~_toe
  ik_foot_root = helper
    ik_foot_@ = helper";
    let roles = check(&both_sides(list, small_letters), BodyPlan::Biped, Some("Unreal"));
    let (skeleton, _) = skeleton_of(&both_sides(list, small_letters));
    let partner =
        |name: &str| roles.mirror_partner(skeleton.find(name).unwrap()).map(|id| skeleton.joint(id).name.clone());
    assert_eq!(partner("upperarm_twist_01_l").as_deref(), Some("upperarm_twist_01_r"));
    assert_eq!(partner("calf_r").as_deref(), Some("calf_l"));
    assert_eq!(partner("spine_02").as_deref(), Some("spine_02"));
}

#[test]
fn smpl() {
    let list = "
Pelvis = hips
  @_Hip = ~_thigh
    @_Knee = ~_shank
      @_Ankle = ~_foot
        @_Foot = ~_toe
  Spine1 = spine_0
    Spine2 = spine_1
      Spine3 = spine_2
        Neck = neck_0
          Head = head
        @_Collar = ~_clavicle
          @_Shoulder = ~_upper_arm
            @_Elbow = ~_forearm
              @_Wrist = ~_hand
                @_Hand = ~_fingers_1";
    check(&both_sides(list, letters), BodyPlan::Biped, Some("SMPL"));
    let prefixed = list.replace("@_", "m_avg_@_").replace("Pelvis", "m_avg_Pelvis").replace("Spine", "m_avg_Spine");
    check(&both_sides(&prefixed, letters), BodyPlan::Biped, Some("SMPL"));
}

#[test]
fn rigify() {
    let list = "
spine = hips
  pelvis.@ = helper
  thigh.@ = ~_thigh
    shin.@ = ~_shank
      foot.@ = ~_foot
        toe.@ = ~_toe
        heel.02.@ = helper
  spine.001 = spine_0
    spine.002 = spine_1
      spine.003 = spine_2
        spine.004 = neck_0
          spine.005 = neck_1
            spine.006 = head
        shoulder.@ = ~_clavicle
          upper_arm.@ = ~_upper_arm
            forearm.@ = ~_forearm
              hand.@ = ~_hand
                palm.01.@ = helper
                  f_index.01.@ = ~_index_1
                    f_index.02.@ = ~_index_2
                  thumb.01.@ = ~_thumb_1
        breast.@ = helper";
    check(&both_sides(list, letters), BodyPlan::Biped, Some("Rigify"));
    let deform = "
DEF-spine = hips
  DEF-thigh.@ = ~_thigh
    DEF-thigh.@.001 = helper
      DEF-shin.@ = ~_shank
        DEF-shin.@.001 = helper
          DEF-foot.@ = ~_foot
            DEF-toe.@ = ~_toe
  DEF-spine.001 = spine_0
    DEF-spine.002 = neck_0
      DEF-spine.003 = head
    DEF-shoulder.@ = ~_clavicle
      DEF-upper_arm.@ = ~_upper_arm
        DEF-upper_arm.@.001 = helper
          DEF-forearm.@ = ~_forearm
            DEF-forearm.@.001 = helper
              DEF-hand.@ = ~_hand";
    let roles = check(&both_sides(deform, letters), BodyPlan::Biped, Some("Rigify"));
    assert_eq!(roles.limb(Side::Right, LimbKind::Leg).unwrap().chain.len(), 5, "spare joints belong to the limb");
    assert_eq!(roles.limb(Side::Left, LimbKind::Arm).unwrap().chain.len(), 5);
}

#[test]
fn max_biped_with_thighs_below_the_spine() {
    let list = "
Bip01 = scene_root
  Bip01 Pelvis = hips
    Bip01 Spine = spine_0
      Bip01 @ Thigh = ~_thigh
        Bip01 @ Calf = ~_shank
          Bip01 @ Foot = ~_foot
            Bip01 @ Toe0 = ~_toe
              Bip01 @ Toe0Nub = helper
      Bip01 Spine1 = spine_1
        Bip01 Neck = neck_0
          Bip01 Head = head
            Bip01 HeadNub = helper
          Bip01 @ Clavicle = ~_clavicle
            Bip01 @ UpperArm = ~_upper_arm
              Bip01 @ Forearm = ~_forearm
                Bip01 @ Hand = ~_hand
                  Bip01 @ Finger0 = ~_thumb_1
                    Bip01 @ Finger01 = ~_thumb_2
                      Bip01 @ Finger0Nub = helper
                  Bip01 @ Finger1 = ~_index_1
                    Bip01 @ Finger11 = ~_index_2";
    check(&both_sides(list, letters), BodyPlan::Biped, Some("3ds Max Biped"));
}

#[test]
fn perception_neuron() {
    let list = "
Robot_Hips = hips
  Robot_@UpLeg = ~_thigh
    Robot_@Leg = ~_shank
      Robot_@Foot = ~_foot
  Robot_Spine = spine_0
    Robot_Spine1 = spine_1
      Robot_Spine2 = spine_2
        Robot_Neck = neck_0
          Robot_Neck1 = neck_1
            Robot_Head = head
        Robot_@Shoulder = ~_clavicle
          Robot_@Arm = ~_upper_arm
            Robot_@ForeArm = ~_forearm
              Robot_@Hand = ~_hand
                Robot_@HandThumb1 = ~_thumb_1
                Robot_@InHandIndex = helper
                  Robot_@HandIndex1 = ~_index_1";
    check(&both_sides(list, words), BodyPlan::Biped, Some("Perception Neuron"));
}

#[test]
fn japanese_names() {
    let list = "
全ての親 = scene_root
  センター = hips
    上半身 = spine_0
      上半身2 = spine_1
        首 = neck_0
          頭 = head
        @肩 = ~_clavicle
          @腕 = ~_upper_arm
            @ひじ = ~_forearm
              @手首 = ~_hand
                @親指０ = ~_thumb_1
    下半身 = helper
      @足 = ~_thigh
        @ひざ = ~_shank
          @足首 = ~_foot
            @つま先 = ~_toe";
    let kanji = |side| if side == Side::Left { "左" } else { "右" };
    check(&both_sides(list, kanji), BodyPlan::Biped, None);
}

#[test]
fn things_that_are_no_body_stay_without_roles() {
    check("Ball = ball", BodyPlan::Single, None);
    check("Cube = prop", BodyPlan::Single, None);
    check("base = -\n child1 = -\n  child2 = -\n   child3 = -", BodyPlan::Unknown, None);
    check("Base = -\n End = helper", BodyPlan::Unknown, None);
    check("Hips = hips\n Head = head", BodyPlan::Unknown, None);
}

#[test]
fn what_the_user_says_wins() {
    let (skeleton, _) =
        skeleton_of("Hips = hips\n LeftUpLeg = left_thigh\n  LeftLeg = left_shank\n RightUpLeg = x\n  RightLeg = x");
    let roles = Roles::detect_skeleton(&skeleton);
    let id = |name| skeleton.find(name).unwrap();
    let given = [(id("LeftLeg"), Some(Role::Thigh(Side::Left))), (id("RightLeg"), None)];
    let roles = roles.with_overrides(&given);
    assert_eq!(roles.joint(Role::Thigh(Side::Left)), Some(id("LeftLeg")));
    assert_eq!(roles.role(id("LeftUpLeg")), None, "the role moved");
    assert_eq!(roles.role(id("RightLeg")), None);
    let assignment = roles.assignment(id("LeftLeg")).unwrap();
    assert_eq!((assignment.confidence, assignment.reason.as_str()), (1.0, "given"));
    assert_eq!(roles.plan(), BodyPlan::Unknown, "legs were taken away");
}

/// A figure that says nothing by its names, in a bent pose; `facing` turns it about the vertical.
fn nameless_figure(facing_rad: f64, mirrored: bool) -> Skeleton {
    let turn = glam::DQuat::from_rotation_y(facing_rad);
    let flip = if mirrored { -1.0 } else { 1.0 };
    let mut builder = Skeleton::builder();
    let mut add = |parent: Option<JointId>, x: f64, y: f64, z: f64| {
        builder.add(parent, "joint", turn * DVec3::new(x * flip, y, z), Channels::default())
    };
    let hips = add(None, 0.0, 1.0, 0.0);
    let chest = add(Some(hips), 0.0, 0.4, 0.0);
    for x in [1.0, -1.0] {
        let thigh = add(Some(hips), 0.1 * x, 0.0, 0.0);
        let shank = add(Some(thigh), 0.0, -0.42, 0.05);
        let foot = add(Some(shank), 0.0, -0.42, -0.05);
        add(Some(foot), 0.0, -0.06, 0.15);
        let clavicle = add(Some(chest), 0.03 * x, 0.08, 0.0);
        let upper = add(Some(clavicle), 0.15 * x, 0.0, 0.0);
        let fore = add(Some(upper), 0.05 * x, -0.28, 0.0);
        let hand = add(Some(fore), 0.0, -0.24, 0.05);
        add(Some(hand), 0.0, -0.1, 0.0);
    }
    let neck = add(Some(chest), 0.0, 0.12, 0.0);
    add(Some(neck), 0.0, 0.1, 0.0);
    builder.build().unwrap()
}

#[test]
fn structure_finds_a_nameless_body_and_its_sides() {
    for facing_rad in [0.0, 1.0, 2.5, -2.0] {
        for mirrored in [false, true] {
            let skeleton = nameless_figure(facing_rad, mirrored);
            let roles = Roles::detect_skeleton(&skeleton);
            // The first limb of the tree is on the left unless the figure is mirrored.
            let side = if mirrored { Side::Right } else { Side::Left };
            let expected = [
                Role::Hips,
                Role::Spine(0),
                Role::Thigh(side),
                Role::Shank(side),
                Role::Foot(side),
                Role::Toe(side),
                Role::Clavicle(side),
                Role::UpperArm(side),
                Role::Forearm(side),
                Role::Hand(side),
            ];
            let found: Vec<Role> = skeleton.ids().take(10).filter_map(|joint| roles.role(joint)).collect();
            assert_eq!(found, expected, "facing {facing_rad}, mirrored {mirrored}");
            assert_eq!(roles.joint(Role::Head), Some(JointId::new(skeleton.len() - 1)));
            assert_eq!(roles.plan(), BodyPlan::Biped);
            assert!(roles.assignments().iter().flatten().all(|assignment| assignment.confidence < 0.8));
        }
    }
}

#[test]
fn a_nameless_body_that_shows_no_front_says_so() {
    let mut upright = nameless_figure(0.0, false);
    // Straight legs without feet: nothing tells front from back.
    upright = upright.map_joints(|_, joint| joint.offset_m.z = 0.0).unwrap();
    let roles = Roles::detect_skeleton(&upright);
    assert!(roles.warnings().iter().any(|warning| warning.contains("left and right")), "{:?}", roles.warnings());
}

#[test]
fn smpl_trees_are_known_without_names() {
    let body = [0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 9, 12, 13, 14, 16, 17, 18, 19];
    let mut parents: Vec<usize> = body.to_vec();
    let roles_of = |parents: &[usize]| {
        let mut builder = Skeleton::builder();
        builder.add(None, "0", DVec3::ZERO, Channels::default());
        for (index, &parent) in parents.iter().enumerate() {
            builder.add(Some(JointId::new(parent)), (index + 1).to_string(), DVec3::Y, Channels::default());
        }
        Roles::detect_skeleton(&builder.build().unwrap())
    };
    let roles = roles_of(&parents);
    assert_eq!(roles.role(JointId::new(18)), Some(Role::Forearm(Side::Left)));
    assert_eq!((roles.plan(), roles.family()), (BodyPlan::Biped, Some(("SMPL", 0.9))));
    parents.extend([20, 21]);
    let roles = roles_of(&parents);
    assert_eq!(roles.role(JointId::new(23)), Some(Role::Finger(Side::Right, Digit::Fingers, 1)));
    parents.truncate(21);
    for hand in [20, 21] {
        for _finger in 0..5 {
            let first = parents.len() + 1;
            parents.extend([hand, first, first + 1]);
        }
    }
    let roles = roles_of(&parents);
    assert_eq!(roles.role(JointId::new(51)), Some(Role::Finger(Side::Right, Digit::Thumb, 3)));
    parents[5] = 4;
    assert_eq!(roles_of(&parents).family(), None, "another tree of the same size is not SMPL");
}

#[test]
fn deep_and_wide_skeletons_cost_little() {
    let mut builder = Skeleton::builder();
    let mut last = builder.add(None, "LeftUpLeg", DVec3::Y, Channels::default());
    for index in 0..4000 {
        last = builder.add(Some(last), ["LeftLeg", "x", "Tail", "Spine"][index % 4], DVec3::Y, Channels::default());
    }
    for _ in 0..20_000 {
        builder.add(Some(last), "LeftFoot", DVec3::Y, Channels::default());
    }
    let skeleton = builder.build().unwrap();
    let started = std::time::Instant::now();
    let roles = Roles::detect_skeleton(&skeleton);
    assert_eq!(roles.assignments().len(), 24_001);
    // Far above what it takes (well under a second), far below anything quadratic in 24,000 joints with names.
    assert!(started.elapsed().as_secs() < 20);
}

proptest::proptest! {
    #[test]
    fn no_names_and_no_tree_panic(joints in proptest::collection::vec((".{0,12}", 0usize..40, -2.0..2.0f64), 1..40)) {
        let mut builder = Skeleton::builder();
        for (index, (name, parent, y)) in joints.iter().enumerate() {
            let parent = index.checked_sub(1).map(|last| JointId::new(parent % (last + 1)));
            builder.add(parent, name.clone(), DVec3::new(0.0, *y, 0.1 * y), Channels::default());
        }
        let skeleton = builder.build().unwrap();
        let roles = Roles::detect_skeleton(&skeleton);
        // A role that only one joint can hold is held by one.
        let mut held = std::collections::HashSet::new();
        for role in roles.assignments().iter().flatten().map(|assignment| assignment.role) {
            proptest::prop_assert!(!role.is_unique() || held.insert(role), "{} twice", role);
        }
    }
}

/// Bones that our ASF writer puts between joints side by side: they name their neighbours and are neither.
#[test]
fn connectors_leave_roles_to_the_joints_they_reach() {
    let connected = "
root = hips
 root_to_Spine = helper
  Spine = spine_0
   Spine1 = spine_1
    Spine1_to_Neck = helper
     Neck = neck_0
      Head = head
       Head_to_end = helper
    Spine1_to_LeftShoulder = helper
     LeftShoulder = left_clavicle
      LeftArm = left_upper_arm
       LeftForeArm = left_forearm
        LeftHand = left_hand
    Spine1_to_RightShoulder = helper
     RightShoulder = right_clavicle
      RightArm = right_upper_arm
       RightForeArm = right_forearm
        RightHand = right_hand
 root_to_LeftUpLeg = helper
  LeftUpLeg = left_thigh
   LeftLeg = left_shank
    LeftFoot = left_foot
     LeftToeBase = left_toe
 root_to_RightUpLeg = helper
  RightUpLeg = right_thigh
   RightLeg = right_shank
    RightFoot = right_foot
     RightToeBase = right_toe
";
    let (skeleton, expected) = skeleton_of(connected);
    let roles = Roles::detect_skeleton(&skeleton);
    let found: Vec<String> = skeleton.ids().map(|joint| shown(&roles, joint)).collect();
    assert_eq!(found, expected);
    assert_eq!(roles.plan(), BodyPlan::Biped);
    let find = |name: &str| skeleton.find(name).unwrap();
    assert_eq!(roles.mirror_partner(find("root_to_LeftUpLeg")), Some(find("root_to_RightUpLeg")));
    // The same words with no such neighbours mean what they say.
    let (other, _) = skeleton_of("hips = -\n spine_to_head = -\n  neck = -\n   head = -");
    assert!(names::read_all(&other)[1].marked_helper.is_none());
}
