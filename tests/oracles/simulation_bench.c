// Times of MuJoCo's steps on a humanoid that stands and is driven to its start pose, as lines `what,us`: the best half second of thirty.
//
//     simulation_bench AIR.xml GROUND.xml
//
// Damping of joints is the model's own, which MuJoCo steps implicitly; the springs are applied here.
#include <mujoco/mujoco.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

static void drive(const mjModel *m, mjData *d, const mjtNum *wanted) {
  for (int joint = 1; joint < m->njnt; joint++) {
    int q = m->jnt_qposadr[joint], v = m->jnt_dofadr[joint];
    mjtNum error[3];
    mju_subQuat(error, wanted + q, d->qpos + q);
    mjtNum stiffness = 12.0 * m->body_subtreemass[m->jnt_bodyid[joint]] + 10;
    if (stiffness > 500) stiffness = 500;
    for (int axis = 0; axis < 3; axis++) d->qfrc_applied[v + axis] = stiffness * error[axis];
  }
}

int main(int count, char **names) {
  for (int file = 1; file < count; file++) {
    char why[1000] = "";
    mjModel *m = mj_loadXML(names[file], 0, why, sizeof why);
    if (!m) {
      fprintf(stderr, "%s\n", why);
      return 1;
    }
    mjData *d = mj_makeData(m);
    mj_resetData(m, d);
    mjtNum *wanted = malloc(sizeof(mjtNum) * m->nq);
    memcpy(wanted, d->qpos, sizeof(mjtNum) * m->nq);
    int steps = (int)(0.5 / m->opt.timestep + 0.5);
    double best = 1e9, deepest = 0, touching = 0, moved = 0;
    for (int run = 0; run < 30; run++) {
      mj_resetData(m, d);
      for (int dof = 6; dof < m->nv; dof++) d->qvel[dof] = 0.3 * sin((double)(dof + run));
      double start = now();
      for (int step = 0; step < steps; step++) {
        drive(m, d, wanted);
        mj_step(m, d);
      }
      double took = (now() - start) / steps;
      if (took < best) {
        best = took;
        deepest = 0;
        touching = d->ncon;
        for (int touch = 0; touch < d->ncon; touch++) deepest = fmax(deepest, -d->contact[touch].dist);
        mjtNum apart[3];
        mju_sub3(apart, d->qpos, wanted);
        moved = mju_norm3(apart);
      }
    }
    const char *what = file == 1 ? "step in the air" : "step with feet down";
    printf("%s,%.3f\n", what, best * 1e6);
    fprintf(stderr, "MuJoCo, %s: %.1f points touch, at most %.2f mm deep, the pelvis ends %.2f mm from its start\n", what, touching, 1e3 * deepest, 1e3 * moved);
    free(wanted);
    mj_deleteData(d);
    mj_deleteModel(m);
  }
  return 0;
}
