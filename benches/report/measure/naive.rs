//! Textbook skinning, vertex by vertex in scalar code: the baseline of our kernels.

/// A 3 x 4 matrix by rows.
pub type Matrix = [[f32; 4]; 3];

/// Vertices with four influences each, packed.
#[derive(Default)]
pub struct Packed {
    pub positions: Vec<[f32; 3]>,
    pub normals: Vec<[f32; 3]>,
    pub bones: Vec<[u16; 4]>,
    pub weights: Vec<[f32; 4]>,
}

/// Transforms positions by the blended matrix, and normals by its inverse transpose, normalised.
#[inline(never)]
pub fn linear(bones: &[Matrix], input: &Packed, positions: &mut [[f32; 3]], normals: &mut [[f32; 3]]) {
    for v in 0..input.positions.len() {
        let mut m = [[0.0; 4]; 3];
        for k in 0..4 {
            let bone = &bones[usize::from(input.bones[v][k])];
            let weight = input.weights[v][k];
            for i in 0..3 {
                for j in 0..4 {
                    m[i][j] += weight * bone[i][j];
                }
            }
        }
        let p = input.positions[v];
        for i in 0..3 {
            positions[v][i] = m[i][0] * p[0] + m[i][1] * p[1] + m[i][2] * p[2] + m[i][3];
        }
        let inverse = inverse(&m);
        let n = input.normals[v];
        let mut normal = [0.0; 3];
        for i in 0..3 {
            normal[i] = inverse[0][i] * n[0] + inverse[1][i] * n[1] + inverse[2][i] * n[2];
        }
        normals[v] = normalized(normal);
    }
}

fn inverse(m: &Matrix) -> [[f32; 3]; 3] {
    let minor = |a: usize, b: usize, c: usize, d: usize| m[a][c] * m[b][d] - m[a][d] * m[b][c];
    let determinant = m[0][0] * minor(1, 2, 1, 2) - m[0][1] * minor(1, 2, 0, 2) + m[0][2] * minor(1, 2, 0, 1);
    let f = 1.0 / determinant;
    [
        [f * minor(1, 2, 1, 2), -f * minor(0, 2, 1, 2), f * minor(0, 1, 1, 2)],
        [-f * minor(1, 2, 0, 2), f * minor(0, 2, 0, 2), -f * minor(0, 1, 0, 2)],
        [f * minor(1, 2, 0, 1), -f * minor(0, 2, 0, 1), f * minor(0, 1, 0, 1)],
    ]
}

fn normalized(v: [f32; 3]) -> [f32; 3] {
    let length = (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt();
    v.map(|x| x / length)
}

/// The real part x, y, z, w and the dual part.
pub type DualQuaternion = [[f32; 4]; 2];

/// Normalises the blended dual quaternion and applies it as a rotation matrix and a translation (Kavan 2008).
#[inline(never)]
pub fn dual(bones: &[DualQuaternion], input: &Packed, positions: &mut [[f32; 3]], normals: &mut [[f32; 3]]) {
    for v in 0..input.positions.len() {
        let (row, weights) = (&input.bones[v], &input.weights[v]);
        let mut heaviest = 0;
        for k in 1..4 {
            if weights[k] > weights[heaviest] {
                heaviest = k;
            }
        }
        let pivot = bones[usize::from(row[heaviest])][0];
        let mut q = [[0.0f32; 4]; 2];
        for k in 0..4 {
            let bone = &bones[usize::from(row[k])];
            let product: f32 = (0..4).map(|i| pivot[i] * bone[0][i]).sum();
            let weight = if product < 0.0 { -weights[k] } else { weights[k] };
            for part in 0..2 {
                for i in 0..4 {
                    q[part][i] += weight * bone[part][i];
                }
            }
        }
        let length = q[0].iter().map(|x| x * x).sum::<f32>().sqrt();
        let [[x, y, z, w], [a, b, c, e]] = q.map(|part| part.map(|number| number / length));
        let rotation = [
            [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
            [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
            [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
        ];
        let translation = [
            2.0 * (w * a - e * x + y * c - z * b),
            2.0 * (w * b - e * y + z * a - x * c),
            2.0 * (w * c - e * z + x * b - y * a),
        ];
        let (p, n) = (input.positions[v], input.normals[v]);
        for i in 0..3 {
            let row = rotation[i];
            positions[v][i] = row[0] * p[0] + row[1] * p[1] + row[2] * p[2] + translation[i];
            normals[v][i] = row[0] * n[0] + row[1] * n[1] + row[2] * n[2];
        }
    }
}

/// A lower bound for any skinning: reads 48 bytes per vertex and writes 24.
#[inline(never)]
pub fn memory_floor(input: &[[u32; 12]], output: &mut [[u32; 6]]) {
    for (from, to) in input.iter().zip(output) {
        for i in 0..6 {
            to[i] = from[i] ^ from[i + 6];
        }
    }
}
