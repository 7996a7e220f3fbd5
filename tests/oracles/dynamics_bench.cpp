// Times of Pinocchio's algorithms on the humanoid of a text file, in C++, as lines `what,us`: the best of many blocks.
//
//     dynamics_bench MODEL
//
// A line of MODEL is `name parent jx jy jz mass cx cy cz Ixx Iyy Izz`, parents first, depth first.
#include <pinocchio/multibody.hpp>
#include <pinocchio/algorithm/aba-derivatives.hpp>
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/cholesky.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/joint-configuration.hpp>
#include <pinocchio/algorithm/kinematics.hpp>
#include <pinocchio/algorithm/rnea-derivatives.hpp>
#include <pinocchio/algorithm/rnea.hpp>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <vector>

using namespace pinocchio;

static Model read(const char *path) {
  Model model;
  std::ifstream file(path);
  std::map<std::string, JointIndex> joints;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string name, parent;
    double at[3], mass, com[3], inertia[3];
    words >> name >> parent >> at[0] >> at[1] >> at[2] >> mass >> com[0] >> com[1] >> com[2] >> inertia[0] >> inertia[1] >> inertia[2];
    SE3 place(SE3::Matrix3::Identity(), SE3::Vector3(at[0], at[1], at[2]));
    JointIndex joint = parent == "-" ? model.addJoint(0, JointModelFreeFlyer(), place, name)
                                     : model.addJoint(joints.at(parent), JointModelSpherical(), place, name);
    SE3::Matrix3 about_com = SE3::Matrix3::Zero();
    about_com.diagonal() << inertia[0], inertia[1], inertia[2];
    model.appendBodyToJoint(joint, Inertia(mass, SE3::Vector3(com[0], com[1], com[2]), about_com), SE3::Identity());
    joints[name] = joint;
  }
  return model;
}

template <class Call> static void print(const char *what, int calls, Call call) {
  double best = 1e99;
  calls /= 10;  // short runs: some of them are not interrupted whatever else the machine does
  for (int block = 0; block < 600; block++) {
    auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < calls; i++) call(i % 128);
    std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - start;
    best = std::min(best, took.count() / calls);
  }
  std::cout << what << "," << best << std::endl;
}

int main(int, char **arguments) {
  Model model = read(arguments[1]);
  Data data(model);
  std::vector<Eigen::VectorXd> q, v, a, tau;
  srand(1);
  for (int i = 0; i < 128; i++) {
    Eigen::VectorXd step = Eigen::VectorXd::Random(model.nv) * 0.7;
    q.push_back(integrate(model, neutral(model), step));
    v.push_back(Eigen::VectorXd::Random(model.nv) * 2);
    a.push_back(Eigen::VectorXd::Random(model.nv) * 10);
    tau.push_back(Eigen::VectorXd::Random(model.nv) * 50);
  }
  Eigen::MatrixXd by_q = Eigen::MatrixXd::Zero(model.nv, model.nv), by_v = by_q, by_a = by_q;
  print("forward kinematics", 1280, [&](int i) { forwardKinematics(model, data, q[i]); });
  print("rnea", 1280, [&](int i) { rnea(model, data, q[i], v[i], a[i]); });
  print("aba", 1280, [&](int i) { aba(model, data, q[i], v[i], tau[i], Convention::WORLD); });
  print("aba", 1280, [&](int i) { aba(model, data, q[i], v[i], tau[i], Convention::LOCAL); });
  print("crba", 1280, [&](int i) { crba(model, data, q[i], Convention::WORLD); });
  print("crba", 1280, [&](int i) { crba(model, data, q[i], Convention::LOCAL); });
  print("crba + factor", 1280, [&](int i) { crba(model, data, q[i], Convention::WORLD); cholesky::decompose(model, data); });
  print("rnea derivatives", 640, [&](int i) { computeRNEADerivatives(model, data, q[i], v[i], a[i], by_q, by_v, by_a); });
  print("aba derivatives", 640, [&](int i) { computeABADerivatives(model, data, q[i], v[i], tau[i], by_q, by_v, by_a); });
}
