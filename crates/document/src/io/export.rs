//! The options of writing a scene for other programs.

/// Finds the bytes of a picture by the path in the scene, or returns a problem.
pub type Images<'a> = &'a dyn Fn(&str) -> Result<Vec<u8>, String>;

/// The options of an export.
#[derive(Clone, Debug, PartialEq)]
pub struct ExportOptions {
    pub influences: Influences,
    pub interpolation: Interpolation,
    /// Whether the tails of bones without children get nodes, `<bone>_end`.
    pub tip_nodes: bool,
    /// Whether nodes of joints have the stored pose instead of the bind pose.
    pub pose_in_nodes: bool,
    /// Whether the original scene is included, so that it can be restored until another program writes the
    /// file.
    pub scene: bool,
    /// Names of the takes to write; empty for all.
    pub takes: Vec<String>,
}

impl Default for ExportOptions {
    fn default() -> Self {
        Self {
            influences: Influences::default(),
            interpolation: Interpolation::default(),
            tip_nodes: false,
            pose_in_nodes: false,
            scene: true,
            takes: Vec::new(),
        }
    }
}

/// The number of bones that move a vertex.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Influences {
    /// The four with the largest weights, which every engine supports.
    #[default]
    Four,
    /// All of them. Most engines use only the first four and ignore the rest.
    All,
}

/// The interpolation between keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Interpolation {
    /// Curves that glTF can hold as they are keyed: steps, straight lines and, of objects, cubics with tangents.
    /// Others, such as all curves of bones, are linear as in [`Interpolation::Linear`].
    #[default]
    Keyed,
    /// Linear interpolation, with a key per frame where something moves, and more where needed.
    Linear,
    /// Cubic interpolation, with few keys with tangents. Blender ignores the tangents.
    Cubic,
}
