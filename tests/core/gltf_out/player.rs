//! Plays a glTF file as an engine does, with the `gltf` crate: vertices and joints at a time.

use base64::Engine;
use glam::{DMat4, DQuat, DVec3, DVec4, Mat4};
use gltf::animation::{Interpolation, Property, util::ReadOutputs};
use std::collections::BTreeMap;
use std::path::Path;

pub struct Player {
    pub document: gltf::Document,
    buffers: Vec<Vec<u8>>,
    parents: Vec<Option<usize>>,
    /// Whether cubics are played as straight lines, as in Blender.
    pub ignores_tangents: bool,
}

impl Player {
    pub fn new(glb: &[u8]) -> Self {
        let gltf = gltf::Gltf::from_slice(glb).expect("the gltf crate reads what was written");
        let mut parents = vec![None; gltf.document.nodes().len()];
        for node in gltf.document.nodes() {
            for child in node.children() {
                assert_eq!(parents[child.index()].replace(node.index()), None);
            }
        }
        let buffers = vec![gltf.blob.unwrap_or_default()];
        Self { document: gltf.document, buffers, parents, ignores_tangents: false }
    }

    /// Opens any file, with buffers in data URIs or next to it.
    pub fn open(path: &Path) -> Self {
        let mut player = Self::new(&std::fs::read(path).unwrap());
        for buffer in player.document.buffers() {
            let gltf::buffer::Source::Uri(uri) = buffer.source() else {
                continue;
            };
            player.buffers.resize(buffer.index() + 1, Vec::new());
            player.buffers[buffer.index()] = match uri.split_once(";base64,") {
                Some((_, text)) => base64::engine::general_purpose::STANDARD.decode(text).unwrap(),
                None => std::fs::read(path.with_file_name(uri)).unwrap(),
            };
        }
        player
    }

    fn buffer(&self, buffer: gltf::Buffer) -> Option<&[u8]> {
        self.buffers.get(buffer.index()).map(Vec::as_slice)
    }

    pub fn node(&self, name: &str) -> usize {
        let mut nodes = self.document.nodes();
        let node = nodes.find(|node| node.name() == Some(name));
        node.unwrap_or_else(|| panic!("there is no node {name}")).index()
    }

    pub fn names(&self) -> Vec<String> {
        let nodes = self.document.nodes();
        nodes.map(|node| node.name().unwrap_or_default().to_owned()).collect()
    }

    pub fn animation(&self, name: &str) -> Option<gltf::Animation<'_>> {
        self.document.animations().find(|animation| animation.name() == Some(name))
    }

    /// Returns the seconds from the first to the last key of an animation.
    pub fn duration(&self, name: &str) -> f32 {
        let animation = self.animation(name).expect("the animation");
        let ends = animation.channels().map(|channel| {
            let reader = channel.reader(|buffer| self.buffer(buffer));
            let inputs: Vec<f32> = reader.read_inputs().unwrap().collect();
            assert!(inputs.is_sorted_by(|a, b| a < b), "{inputs:?}");
            *inputs.last().unwrap()
        });
        ends.fold(0.0, f32::max)
    }

    /// Returns the number of keys in all channels of an animation.
    pub fn keys(&self, name: &str) -> usize {
        let animation = self.animation(name).expect("the animation");
        let keys = animation
            .channels()
            .map(|channel| channel.reader(|buffer| self.buffer(buffer)).read_inputs().unwrap().count());
        keys.sum()
    }

    /// Returns the world matrices of all nodes, with an animation applied at a time.
    pub fn world(&self, animation: Option<&str>, seconds: f64) -> Vec<DMat4> {
        self.world_in(animation.map(|name| self.animation(name).expect("the animation")), seconds)
    }

    /// Like [`Self::world`], for an animation rather than its name.
    pub fn world_in(&self, animation: Option<gltf::Animation>, seconds: f64) -> Vec<DMat4> {
        let mut local: Vec<[DVec4; 3]> = Vec::new();
        for node in self.document.nodes() {
            let (t, r, s) = node.transform().decomposed();
            let [t, s] = [t, s].map(|v| DVec3::from(v.map(f64::from)).extend(0.0));
            local.push([t, DVec4::from(r.map(f64::from)), s]);
        }
        if let Some(animation) = animation {
            for channel in animation.channels() {
                let node = channel.target().node().index();
                let (place, value) = self.sample(&channel, seconds);
                local[node][place] = value;
            }
        }
        let of = |index: usize| {
            let [t, r, s] = local[index];
            let r = DQuat::from_vec4(r).normalize();
            DMat4::from_scale_rotation_translation(s.truncate(), r, t.truncate())
        };
        (0..local.len())
            .map(|index| {
                let mut world = of(index);
                let mut next = self.parents[index];
                while let Some(parent) = next {
                    world = of(parent) * world;
                    next = self.parents[parent];
                }
                world
            })
            .collect()
    }

    /// Returns the index of translation, rotation or scale, and the value.
    fn sample(&self, channel: &gltf::animation::Channel, seconds: f64) -> (usize, DVec4) {
        let reader = channel.reader(|buffer| self.buffer(buffer));
        let inputs: Vec<f64> = reader.read_inputs().unwrap().map(f64::from).collect();
        let (place, values): (usize, Vec<DVec4>) = match reader.read_outputs().unwrap() {
            ReadOutputs::Translations(values) => {
                (0, values.map(|v| DVec3::from(v.map(f64::from)).extend(0.0)).collect())
            }
            ReadOutputs::Rotations(values) => {
                (1, values.into_f32().map(|v| DVec4::from(v.map(f64::from))).collect())
            }
            ReadOutputs::Scales(values) => {
                (2, values.map(|v| DVec3::from(v.map(f64::from)).extend(0.0)).collect())
            }
            ReadOutputs::MorphTargetWeights(_) => panic!("no morph targets are written"),
        };
        let expected = [Property::Translation, Property::Rotation, Property::Scale][place];
        assert_eq!(channel.target().property(), expected);
        let cubic = channel.sampler().interpolation() == Interpolation::CubicSpline;
        let per_key = if cubic { 3 } else { 1 };
        assert_eq!(values.len(), per_key * inputs.len());
        let value = |key: usize| values[per_key * key + per_key / 2];
        let after = inputs.partition_point(|&time| time <= seconds);
        if after == 0 || after == inputs.len() {
            return (place, value(after.saturating_sub(1)));
        }
        let (a, b) = (after - 1, after);
        if channel.sampler().interpolation() == Interpolation::Step {
            return (place, value(a));
        }
        let width = inputs[b] - inputs[a];
        let u = (seconds - inputs[a]) / width;
        let found = match (cubic && !self.ignores_tangents, place) {
            (true, _) => {
                let (leave, arrive) = (values[3 * a + 2] * width, values[3 * b] * width);
                let (u2, u3) = (u * u, u * u * u);
                value(a) * (2.0 * u3 - 3.0 * u2 + 1.0)
                    + leave * (u3 - 2.0 * u2 + u)
                    + value(b) * (3.0 * u2 - 2.0 * u3)
                    + arrive * (u3 - u2)
            }
            (false, 1) => {
                DQuat::from_vec4(value(a).normalize()).slerp(DQuat::from_vec4(value(b).normalize()), u).into()
            }
            (false, _) => value(a).lerp(value(b), u),
        };
        (place, if place == 1 { found.normalize() } else { found })
    }

    /// Returns the skinning matrices of a mesh node's skin, per joint.
    pub fn skinning(&self, node: usize, world: &[DMat4]) -> Vec<DMat4> {
        let node = self.document.nodes().nth(node).unwrap();
        let skin = node.skin().expect("a skin");
        let binds = self.inverse_binds(&skin);
        skin.joints()
            .enumerate()
            .map(|(at, joint)| world[joint.index()] * binds.get(at).copied().unwrap_or_default())
            .collect()
    }

    /// Returns one matrix per joint; empty if the skin has none, which stands for identities.
    pub fn inverse_binds(&self, skin: &gltf::Skin) -> Vec<DMat4> {
        let reader = skin.reader(|buffer| self.buffer(buffer));
        let binds = reader.read_inverse_bind_matrices().into_iter().flatten();
        binds.map(|bind| Mat4::from_cols_array_2d(&bind).as_dmat4()).collect()
    }

    /// Returns the vertices of a mesh node in the world, by the first four influences if it has a skin.
    pub fn vertices(&self, node: usize, world: &[DMat4]) -> Vec<DVec3> {
        let found = self.document.nodes().nth(node).unwrap();
        let mesh = found.mesh().expect("a mesh");
        let primitive = mesh.primitives().next().unwrap();
        let reader = primitive.reader(|buffer| self.buffer(buffer));
        let positions = reader.read_positions().unwrap().map(|p| DVec3::from(p.map(f64::from)));
        if found.skin().is_none() {
            return positions.map(|position| world[node].transform_point3(position)).collect();
        }
        let matrices = self.skinning(node, world);
        let joints = reader.read_joints(0).unwrap().into_u16();
        let weights = reader.read_weights(0).unwrap().into_f32();
        let influences = joints.zip(weights);
        positions
            .zip(influences)
            .map(|(position, (joints, weights))| {
                let parts = joints.into_iter().zip(weights);
                let moved = parts.map(|(joint, weight)| {
                    f64::from(weight) * matrices[usize::from(joint)].transform_point3(position)
                });
                moved.sum()
            })
            .collect()
    }

    /// Returns the stored and posed vertices of all meshes in the world, in the order of nodes and
    /// primitives; weights are divided by their sum.
    pub fn all_vertices(&self, world: &[DMat4]) -> Vec<(DVec3, DVec3)> {
        let mut all = Vec::new();
        for node in self.document.nodes() {
            let Some(mesh) = node.mesh() else { continue };
            let matrices = node.skin().map(|_| self.skinning(node.index(), world));
            for primitive in mesh.primitives() {
                let reader = primitive.reader(|buffer| self.buffer(buffer));
                let stored: Vec<DVec3> =
                    reader.read_positions().unwrap().map(|p| DVec3::from(p.map(f64::from))).collect();
                let mut posed = vec![(DVec3::ZERO, 0.0); stored.len()];
                for set in 0.. {
                    let (Some(matrices), Some(joints), Some(weights)) =
                        (&matrices, reader.read_joints(set), reader.read_weights(set))
                    else {
                        break;
                    };
                    let influences = joints.into_u16().zip(weights.into_f32());
                    for ((to, sum), (from, (joints, weights))) in
                        posed.iter_mut().zip(stored.iter().zip(influences))
                    {
                        for (joint, weight) in joints.into_iter().zip(weights.map(f64::from)) {
                            *to += weight * matrices[usize::from(joint)].transform_point3(*from);
                            *sum += weight;
                        }
                    }
                }
                let whole = world[node.index()];
                let places = posed.into_iter().zip(stored);
                all.extend(places.map(|((to, sum), from)| match matrices.is_some() {
                    true => (from, to / sum),
                    false => (from, whole.transform_point3(from)),
                }));
            }
        }
        all
    }

    /// Returns the seconds of the first and the last key of an animation.
    pub fn span(&self, animation: &gltf::Animation) -> [f64; 2] {
        let mut span = [f64::INFINITY, 0.0];
        for channel in animation.channels() {
            let reader = channel.reader(|buffer| self.buffer(buffer));
            for time in reader.read_inputs().unwrap().map(f64::from) {
                span = [span[0].min(time), span[1].max(time)];
            }
        }
        span
    }

    /// Returns the number of triangles of a mesh.
    pub fn triangles(&self, mesh: &str) -> usize {
        let mut meshes = self.document.meshes();
        let mesh = meshes.find(|found| found.name() == Some(mesh)).expect("the mesh");
        let indices = mesh.primitives().map(|primitive| {
            primitive.reader(|buffer| self.buffer(buffer)).read_indices().unwrap().into_u32().count()
        });
        indices.sum::<usize>() / 3
    }

    pub fn parent(&self, node: usize) -> Option<usize> {
        self.parents[node]
    }

    /// Returns each bone's index in a skin by node name.
    pub fn joint_names(&self) -> BTreeMap<String, usize> {
        let joints = self.document.skins().next().expect("a skin").joints();
        joints.enumerate().map(|(at, joint)| (joint.name().unwrap_or_default().to_owned(), at)).collect()
    }
}
