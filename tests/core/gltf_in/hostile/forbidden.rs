//! Violations of the specification that are read anyway are reported.

use super::*;

/// Values that the specification forbids and that change the result.
#[test]
fn forbidden_values_are_told() {
    type Case = (fn(&mut Value), &'static str, &'static str);
    let light = |light: Value| json!({ "KHR_lights_punctual": { "lights": [light] } });
    let cases: [Case; 19] = [
        (
            |f| f["materials"] = json!([{ "pbrMetallicRoughness": { "baseColorFactor": [2.0, 0, 0, 1] } }]),
            "/materials/0",
            "baseColorFactor",
        ),
        (
            |f| f["materials"] = json!([{ "pbrMetallicRoughness": { "metallicFactor": -0.5 } }]),
            "/materials/0",
            "metallicFactor",
        ),
        (
            |f| f["materials"] = json!([{ "emissiveFactor": [0.0, 0.0, 1.5] }]),
            "/materials/0",
            "emissiveFactor",
        ),
        (
            |f| {
                let strength = json!({ "KHR_materials_emissive_strength": { "emissiveStrength": -0.5 } });
                f["materials"] = json!([{ "extensions": strength }]);
            },
            "/materials/0",
            "emissiveStrength is at least 0",
        ),
        (
            |f| f["materials"] = json!([{ "extensions": { "KHR_materials_ior": { "ior": 0.5 } } }]),
            "/materials/0",
            "ior is at least 1",
        ),
        (
            |f| {
                let transmission = json!({ "KHR_materials_transmission": { "transmissionFactor": 1.5 } });
                f["materials"] = json!([{ "extensions": transmission }]);
            },
            "/materials/0",
            "transmissionFactor",
        ),
        (
            |f| {
                let joints = json!({ "componentType": 5121, "type": "VEC4", "count": 3 });
                f["accessors"].as_array_mut().unwrap().push(joints);
                f["meshes"][0]["primitives"][0]["attributes"]["JOINTS_0"] = json!(1);
            },
            "/meshes/0",
            "joints without weights",
        ),
        (
            |f| {
                let joints = json!({ "componentType": 5121, "type": "VEC4", "count": 3, "byteOffset": 4 });
                f["accessors"].as_array_mut().unwrap().push(joints);
            },
            "/accessors/1",
            "of no buffer view",
        ),
        (
            |f| {
                let view = json!({ "buffer": 0, "byteLength": 8, "byteStride": 12 });
                f["bufferViews"].as_array_mut().unwrap().push(view);
            },
            "/bufferViews/1",
            "its stride of 12",
        ),
        (
            |f| {
                let view = json!({ "buffer": 0, "byteLength": 8, "byteStride": 4, "target": 34963 });
                f["bufferViews"].as_array_mut().unwrap().push(view);
            },
            "/bufferViews/1",
            "a view of indices has a stride",
        ),
        (|f| f["meshes"][0]["primitives"][0]["attributes"]["COLOR_01"] = json!(0), "/meshes/0", "COLOR_01"),
        (
            |f| f["meshes"][0]["primitives"][0]["attributes"]["COLOUR"] = json!(0),
            "/meshes/0",
            "attributes with invalid names",
        ),
        (
            |f| f["meshes"][0]["primitives"][0]["targets"] = json!([{ "NORMAL": 0 }]),
            "/meshes/0",
            "that its primitive lacks",
        ),
        (|f| f["nodes"].as_array_mut().unwrap().push(json!({ "weights": [0.5] })), "/nodes/1", "no mesh"),
        (|f| f["nodes"][0]["scale"] = json!([1, 0, 1]), "/nodes/0", "flat"),
        (|f| f["nodes"][0]["rotation"] = json!([0.0, 0.0, 0.0, 1.05]), "/nodes/0", "length 1.05"),
        (
            |f| {
                f["nodes"][0]["skin"] = json!(0);
                f["nodes"].as_array_mut().unwrap().push(json!({}));
                f["scenes"][0]["nodes"] = json!([0, 1]);
                f["skins"] = json!([{ "joints": [1] }]);
            },
            "/nodes/0",
            "names no joints",
        ),
        (
            |f| {
                f["textures"] = json!([{}]);
                f["materials"] = json!([{ "pbrMetallicRoughness": { "baseColorTexture": { "index": 0 } } }]);
                f["meshes"][0]["primitives"][0]["material"] = json!(0);
            },
            "/meshes/0",
            "no texture coordinates",
        ),
        (|f| f["meshes"][0]["weights"] = json!([1.0, 2.0]), "/meshes/0", "morph targets"),
    ];
    let cameras = [
        (json!({ "type": "perspective", "perspective": { "yfov": -1.0, "znear": 0.1 } }), "yfov"),
        (json!({ "type": "perspective", "perspective": { "yfov": 1.0, "znear": 0.0 } }), "znear is above 0"),
        (
            json!({ "type": "perspective", "perspective": { "yfov": 1.0, "znear": 2.0, "zfar": 1.0, "aspectRatio": -1.0 } }),
            "zfar",
        ),
        (
            json!({ "type": "orthographic", "perspective": { "yfov": 1.0, "znear": 0.1 } }),
            "either perspective or orthographic",
        ),
        (
            json!({ "type": "orthographic", "orthographic": { "xmag": 1.0, "ymag": 0.0, "znear": 0.1, "zfar": 1.0 } }),
            "the width or height of the orthographic camera",
        ),
        (
            json!({ "type": "orthographic", "orthographic": { "xmag": 1.0, "ymag": 1.0, "znear": 2.0, "zfar": 1.0 } }),
            "zfar",
        ),
    ];
    let lights = [
        (json!({ "type": "point", "intensity": -1.0 }), "intensity is at least 0"),
        (json!({ "type": "point", "color": [2.0, 0.0, 0.0] }), "a colour"),
        (json!({ "type": "spot" }), "no angles"),
        (json!({ "type": "spot", "spot": { "outerConeAngle": 3.0 } }), "outerConeAngle"),
        (
            json!({ "type": "spot", "spot": { "innerConeAngle": 0.5, "outerConeAngle": 0.2 } }),
            "not within the outer one",
        ),
    ];
    let told = |json: Value| {
        let mut b = triangle();
        b.json = json;
        read(&b.glb(), None, &ImportOptions::default()).unwrap().report.findings
    };
    let is_told = |findings: &[Finding], at: &str, text: &str| {
        let of = |finding: &&Finding| finding.code == "forbidden-value" && finding.at == at;
        findings.iter().filter(of).any(|finding| finding.text.contains(text))
    };
    let none = told(triangle().json);
    assert!(none.iter().all(|finding| finding.code != "forbidden-value"), "{none:?}");
    for (change, at, text) in cases {
        let mut json = triangle().json;
        change(&mut json);
        let found = told(json);
        assert!(is_told(&found, at, text), "{text}: {found:?}");
    }
    for (stated, text) in cameras {
        let mut json = triangle().json;
        json["cameras"] = json!([stated]);
        let found = told(json);
        assert!(is_told(&found, "/cameras/0", text), "{text}: {found:?}");
    }
    for (stated, text) in lights {
        let mut json = triangle().json;
        json["extensions"] = light(stated);
        let found = told(json);
        assert!(is_told(&found, "/extensions/KHR_lights_punctual/lights/0", text), "{text}: {found:?}");
    }
}

#[test]
fn odd_containers_are_read_and_told() {
    let glb = triangle().glb();
    let told = |glb: &[u8]| {
        let report = read(glb, None, &ImportOptions::default()).unwrap().report;
        let odd = report.findings.into_iter().filter(|finding| finding.code == "odd-container");
        odd.map(|finding| finding.text).collect::<Vec<_>>()
    };
    assert_eq!(told(&glb), [""; 0]);
    for (kind, text) in [(b"JSON", "a second chunk of JSON"), (b"BIN\0", "another chunk of bytes")] {
        let mut more = glb.clone();
        more.extend([4, 0, 0, 0]);
        more.extend(kind);
        more.extend(b"{}  ");
        let length = (more.len() as u32).to_le_bytes();
        more[8..12].copy_from_slice(&length);
        assert!(told(&more)[0].contains(text));
    }
}
