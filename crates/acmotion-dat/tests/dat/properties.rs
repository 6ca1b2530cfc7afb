//! Every object decodes from its encoding to the same object and the same bytes; arbitrary bytes never cause a panic.

use acmotion_dat::hook::{Bool32, PackedMeshId, ParticleSpec};
use acmotion_dat::{
    AnimData, Animation, AnimationFrame, AnyObject, AttackCone, BspKind, BspLeaf, BspNode, BspTree, Building,
    BuildingPortal, CellPortal, CellRestrictions, CellStruct, CylSphere, DatObject, DataId, EnvCell,
    EnvCellFlags, Environment, GfxFlags, GfxObj, Hook, HookDirection, HookEffect, KeyedList, LandBlock,
    LandBlockInfo, LandBlockInfoFlags, Light, MotionData, MotionFlags, MotionTable, Palette, PartLocation,
    PhysicsScript, PixelFormat, PlaneNode, Polygon, PolygonTree, PortalFlags, Ramp, Region, RenderSurface,
    ScriptHook, Setup, SetupFlags, Sphere, StaticObject, Surface, SurfaceFill, SurfaceFlags, SurfaceTexture,
    Terrain, Vertex,
};
use acmotion_types::{Frame, MotionCommand, Quat, Vec3};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

fn float() -> impl Strategy<Value = f32> {
    prop_oneof![any::<u32>().prop_map(f32::from_bits), -100.0f32..100.0]
        .prop_filter("a number", |f| !f.is_nan())
}

fn id() -> impl Strategy<Value = DataId> {
    any::<u32>().prop_map(DataId)
}

fn vector() -> impl Strategy<Value = Vec3> {
    [float(), float(), float()].prop_map(Vec3::from)
}

fn frame() -> impl Strategy<Value = Frame> {
    (vector(), [float(), float(), float(), float()]).prop_map(|(origin, q)| Frame::new(origin, Quat::from(q)))
}

fn ramp() -> impl Strategy<Value = Ramp> {
    (float(), float(), float()).prop_map(|(start, end, time)| Ramp { start, end, time })
}

fn particle() -> impl Strategy<Value = ParticleSpec> {
    (id(), any::<u32>(), frame(), any::<u32>()).prop_map(|(emitter_info, part, offset, emitter)| {
        ParticleSpec { emitter_info, part, offset, emitter }
    })
}

fn cone() -> impl Strategy<Value = AttackCone> {
    (any::<u32>(), [float(), float()], [float(), float()], float(), float())
        .prop_map(|(part, left, right, radius, height)| AttackCone { part, left, right, radius, height })
}

fn mesh_id() -> impl Strategy<Value = PackedMeshId> {
    prop_oneof![
        (0u16..0x8000).prop_map(PackedMeshId::Short),
        (0x8000u16.., any::<u16>()).prop_map(|(high, low)| PackedMeshId::Long(high, low)),
    ]
}

fn effect() -> impl Strategy<Value = HookEffect> {
    let number = any::<u32>;
    let switch = || any::<u32>().prop_map(Bool32);
    let first = prop_oneof![
        Just(HookEffect::NoOp),
        id().prop_map(HookEffect::Sound),
        number().prop_map(HookEffect::SoundTable),
        cone().prop_map(HookEffect::Attack),
        Just(HookEffect::AnimationDone),
        (any::<u8>(), mesh_id(), any::<[u8; 3]>()).prop_map(|(part, mesh, bytes)| {
            let padding = match mesh {
                PackedMeshId::Short(_) => [bytes[0], 0, 0],
                PackedMeshId::Long(..) => bytes,
            };
            HookEffect::ReplaceObject { part, mesh, padding }
        }),
        switch().prop_map(HookEffect::Ethereal),
        (number(), ramp()).prop_map(|(part, ramp)| HookEffect::TransparentPart { part, ramp }),
        ramp().prop_map(HookEffect::Luminous),
    ];
    let second = prop_oneof![
        (number(), ramp()).prop_map(|(part, ramp)| HookEffect::LuminousPart { part, ramp }),
        ramp().prop_map(HookEffect::Diffuse),
        (number(), ramp()).prop_map(|(part, ramp)| HookEffect::DiffusePart { part, ramp }),
        (float(), float()).prop_map(|(end, time)| HookEffect::Scale { end, time }),
        particle().prop_map(HookEffect::CreateParticle),
        number().prop_map(HookEffect::DestroyParticle),
        number().prop_map(HookEffect::StopParticle),
        switch().prop_map(HookEffect::NoDraw),
        Just(HookEffect::DefaultScript),
    ];
    let third = prop_oneof![
        number().prop_map(HookEffect::DefaultScriptPart),
        (id(), float()).prop_map(|(script, pause)| HookEffect::CallPes { script, pause }),
        ramp().prop_map(HookEffect::Transparent),
        (id(), float(), float(), float()).prop_map(|(wave, probability, priority, volume)| {
            HookEffect::SoundTweaked { wave, probability, priority, volume }
        }),
        vector().prop_map(HookEffect::SetOmega),
        (float(), float()).prop_map(|(u, v)| HookEffect::TextureVelocity { u, v }),
        (number(), float(), float()).prop_map(|(part, u, v)| HookEffect::TextureVelocityPart { part, u, v }),
        switch().prop_map(HookEffect::SetLight),
        particle().prop_map(HookEffect::CreateBlockingParticle),
    ];
    prop_oneof![first, second, third]
}

fn hooks() -> impl Strategy<Value = Vec<Hook>> {
    let hook = (any::<i32>(), effect())
        .prop_map(|(direction, effect)| Hook { direction: HookDirection(direction), effect });
    vec(hook, 0..4)
}

fn physics_script() -> impl Strategy<Value = PhysicsScript> {
    let start = prop_oneof![any::<f64>(), 0.0..10.0].prop_filter("a number", |time| !time.is_nan());
    let entry = (start, any::<i32>(), effect()).prop_map(|(start, direction, effect)| ScriptHook {
        start,
        hook: Hook { direction: HookDirection(direction), effect },
    });
    (id(), vec(entry, 0..6)).prop_map(|(id, hooks)| PhysicsScript { id, hooks })
}

fn animation_frame(parts: usize) -> impl Strategy<Value = AnimationFrame> {
    (vec(frame(), parts), hooks()).prop_map(|(parts, hooks)| AnimationFrame { parts, hooks })
}

fn animation() -> impl Strategy<Value = Animation> {
    (0usize..4, 0usize..6)
        .prop_flat_map(|(parts, frames)| {
            (id(), option::of(vec(frame(), frames)), vec(animation_frame(parts), frames))
        })
        .prop_map(|(id, positions, frames)| Animation::new(id, positions, frames))
}

fn motion() -> impl Strategy<Value = MotionData> {
    let anim = (id(), any::<i32>(), any::<i32>(), float())
        .prop_map(|(animation, low, high, framerate)| AnimData { animation, low, high, framerate });
    (any::<u8>(), any::<u8>(), vec(anim, 0..4), option::of(vector()), option::of(vector()), 0u8..64).prop_map(
        |(flags, padding, anims, velocity, omega, other)| MotionData {
            flags: MotionFlags::from_bits_retain(flags),
            padding,
            anims,
            velocity,
            omega,
            other_flags: other << 2,
        },
    )
}

fn motions() -> impl Strategy<Value = KeyedList<MotionData>> {
    vec((any::<u32>(), motion()), 0..5).prop_map(|list| list.into_iter().collect())
}

fn motion_table() -> impl Strategy<Value = MotionTable> {
    let command = || any::<u32>().prop_map(MotionCommand);
    let defaults = vec((any::<u32>(), command()), 0..4);
    let links = vec((any::<u32>(), motions()), 0..4);
    (id(), command(), defaults, motions(), motions(), links).prop_map(
        |(id, default_style, defaults, cycles, modifiers, links)| MotionTable {
            id,
            default_style,
            style_defaults: defaults.into_iter().collect(),
            cycles,
            modifiers,
            links: links.into_iter().collect(),
        },
    )
}

fn sphere() -> impl Strategy<Value = Sphere> {
    (vector(), float()).prop_map(|(origin, radius)| Sphere { origin, radius })
}

fn locations() -> impl Strategy<Value = Vec<PartLocation>> {
    let one = (any::<i32>(), any::<i32>(), frame()).prop_map(|(key, part, frame)| PartLocation {
        key,
        part,
        frame,
    });
    vec(one, 0..3)
}

fn setup() -> impl Strategy<Value = Setup> {
    let sizes = [float(), float(), float(), float()];
    let defaults = [id(), id(), id(), id(), id()];
    let cylinder = (vector(), float(), float()).prop_map(|(origin, radius, height)| CylSphere {
        origin,
        radius,
        height,
    });
    let light = (frame(), any::<u32>(), float(), float(), float()).prop_map(
        |(frame, colour, intensity, falloff, cone_angle)| Light {
            frame,
            colour,
            intensity,
            falloff,
            cone_angle,
        },
    );
    let parts = (0usize..4, any::<u32>()).prop_flat_map(|(parts, flags)| {
        let flags = SetupFlags::from_bits_retain(flags);
        let with = |flag| if flags.contains(flag) { parts } else { 0 };
        let placements = vec((any::<i32>(), animation_frame(parts)), 0..3);
        let (parents, scales) = (with(SetupFlags::PARENTS), with(SetupFlags::SCALES));
        (Just(flags), vec(id(), parts), vec(any::<u32>(), parents), vec(vector(), scales), placements)
    });
    let locations = (locations(), locations());
    let solids = (vec(cylinder, 0..3), vec(sphere(), 0..3), [sphere(), sphere()]);
    (id(), parts, locations, solids, sizes, vec((any::<i32>(), light), 0..3), defaults).prop_map(
        |(id, (flags, parts, parents, scales, placements), locations, solids, sizes, lights, defaults)| {
            let (cyl_spheres, spheres, [sorting_sphere, selection_sphere]) = solids;
            let [height, radius, step_up, step_down] = sizes;
            Setup {
                id,
                flags,
                parts,
                parents,
                scales,
                holding_locations: locations.0,
                connection_points: locations.1,
                placements,
                cyl_spheres,
                spheres,
                height,
                radius,
                step_up,
                step_down,
                sorting_sphere,
                selection_sphere,
                lights,
                default_animation: defaults[0],
                default_script: defaults[1],
                default_motion_table: defaults[2],
                default_sound_table: defaults[3],
                default_script_table: defaults[4],
            }
        },
    )
}

/// Generates a plane with two leaves, or a single leaf.
fn bsp(kind: BspKind) -> impl Strategy<Value = BspTree> {
    let leaf = move || {
        (any::<i32>(), any::<i32>(), sphere(), vec(any::<u16>(), 0..4)).prop_map(
            move |(index, solid, sphere, keys)| {
                BspNode::Leaf(BspLeaf {
                    index,
                    physics: (kind == BspKind::Physics).then_some((solid, sphere, keys)),
                })
            },
        )
    };
    let drawing = kind == BspKind::Drawing;
    let plane =
        (vector(), float(), sphere(), vec(any::<u16>(), 0..4), vec(any::<[u16; 2]>(), 0..3), any::<bool>())
            .prop_map(move |(normal, distance, sphere, polygons, portals, portal)| {
                BspNode::Plane(PlaneNode {
                    tag: if drawing && portal { 0x504F_5254 } else { 0x4250_494E },
                    normal,
                    distance,
                    positive: Some(1),
                    negative: Some(2),
                    sphere: (kind != BspKind::Cell).then_some(sphere),
                    polygons: if drawing { polygons } else { Vec::new() },
                    portals: if drawing && portal { portals } else { Vec::new() },
                })
            });
    prop_oneof![
        leaf().prop_map(move |leaf| BspTree { kind, nodes: vec![leaf] }),
        (plane, leaf(), leaf())
            .prop_map(move |(root, one, two)| BspTree { kind, nodes: vec![root, one, two] }),
    ]
}

fn polygon() -> impl Strategy<Value = Polygon> {
    (any::<u8>(), 0i32..4, any::<[i16; 2]>(), vec((any::<i16>(), any::<[u8; 2]>()), 0..6)).prop_map(
        |(stippling, sides, surfaces, corners)| {
            let uvs = |present: bool, side: usize| {
                corners.iter().filter(|_| present).map(|(_, uvs)| uvs[side]).collect()
            };
            Polygon {
                stippling,
                sides,
                positive_surface: surfaces[0],
                negative_surface: surfaces[1],
                vertices: corners.iter().map(|(vertex, _)| *vertex).collect(),
                positive_uvs: uvs(stippling & 4 == 0, 0),
                negative_uvs: uvs(sides == 2 && stippling & 8 == 0, 1),
            }
        },
    )
}

fn polygons() -> impl Strategy<Value = KeyedList<Polygon>> {
    vec((any::<u16>().prop_map(u32::from), polygon()), 0..5).prop_map(|list| list.into_iter().collect())
}

fn mesh(kind: BspKind) -> impl Strategy<Value = PolygonTree> {
    (polygons(), bsp(kind)).prop_map(|(polygons, bsp)| PolygonTree { polygons, bsp })
}

fn vertices() -> impl Strategy<Value = Vec<Vertex>> {
    let vertex = (any::<u16>(), vector(), vector(), vec([float(), float()], 0..3))
        .prop_map(|(id, position, normal, uvs)| Vertex { id, position, normal, uvs });
    vec(vertex, 0..5)
}

fn gfx_obj() -> impl Strategy<Value = GfxObj> {
    let meshes = (option::of(mesh(BspKind::Physics)), option::of(mesh(BspKind::Drawing)));
    (id(), vec(id(), 0..200), any::<i32>(), vertices(), vector(), meshes, option::of(id())).prop_map(
        |(id, surfaces, vertex_type, vertices, sort_centre, (physics, drawing), degrade)| {
            let mut flags = GfxFlags::from_bits_retain(4);
            flags.set(GfxFlags::PHYSICS, physics.is_some());
            flags.set(GfxFlags::DRAWING, drawing.is_some());
            flags.set(GfxFlags::DEGRADE, degrade.is_some());
            GfxObj { id, flags, surfaces, vertex_type, vertices, physics, sort_centre, drawing, degrade }
        },
    )
}

/// Generates padding of `needed` bytes. The others are zero, because they are not written.
fn padding(needed: usize) -> impl Strategy<Value = [u8; 3]> {
    any::<[u8; 3]>().prop_map(move |mut bytes| {
        bytes[needed..].fill(0);
        bytes
    })
}

fn padding_length(length: usize) -> usize {
    length.next_multiple_of(4) - length
}

fn region() -> impl Strategy<Value = Region> {
    let name = prop_oneof![vec(any::<u8>(), 0..9), Just(vec![b'x'; 0xFFFF])].prop_flat_map(|name| {
        let needed = padding_length(if name.len() < 0xFFFF { 2 } else { 6 } + name.len());
        (Just(name), padding(needed))
    });
    let heights = vec(float(), 256).prop_map(|list| <Box<[f32; 256]>>::try_from(list).unwrap());
    (id(), any::<[u32; 2]>(), name, any::<[i32; 4]>(), [float(), float(), float(), float()], heights)
        .prop_flat_map(|fields| (Just(fields), vec(any::<u8>(), 0..20)))
        .prop_map(|((id, numbers, (name, padding), counts, sizes, heights), rest)| Region {
            id,
            number: numbers[0],
            version: numbers[1],
            name,
            padding,
            blocks_long: counts[0],
            blocks_wide: counts[1],
            square_length: sizes[0],
            squares_per_side: counts[2],
            vertices_per_cell: counts[3],
            max_object_height: sizes[1],
            sky_height: sizes[2],
            road_width: sizes[3],
            heights,
            rest,
        })
}

fn land_block() -> impl Strategy<Value = LandBlock> {
    (id(), any::<u32>(), vec(any::<u16>(), 81), vec(any::<u8>(), 81), any::<u8>()).prop_map(
        |(id, has_objects, terrain, heights, padding)| LandBlock {
            id,
            has_objects: Bool32(has_objects),
            terrain: std::array::from_fn(|index| Terrain(terrain[index])),
            heights: heights.try_into().unwrap(),
            padding,
        },
    )
}

fn static_objects() -> impl Strategy<Value = Vec<StaticObject>> {
    vec((id(), frame()).prop_map(|(model, frame)| StaticObject { model, frame }), 0..4)
}

fn building() -> impl Strategy<Value = Building> {
    let portal = vec(any::<u16>(), 0..4).prop_flat_map(|visible| {
        // The bytes before a portal are a multiple of four.
        let needed = padding_length(8 + 2 * visible.len());
        (any::<[u16; 3]>(), Just(visible), padding(needed))
    });
    let portal = portal.prop_map(|([flags, other_cell, other_portal], visible, padding)| BuildingPortal {
        flags: PortalFlags::from_bits_retain(flags),
        other_cell,
        other_portal,
        visible,
        padding,
    });
    (id(), frame(), any::<u32>(), vec(portal, 0..4))
        .prop_map(|(model, frame, leaf_count, portals)| Building { model, frame, leaf_count, portals })
}

fn land_block_info() -> impl Strategy<Value = LandBlockInfo> {
    let restrictions = (any::<u16>(), vec(any::<(u32, u32)>(), 0..4))
        .prop_map(|(buckets, entries)| CellRestrictions { buckets, entries });
    let lists = (static_objects(), vec(building(), 0..3), option::of(restrictions));
    (id(), any::<u32>(), any::<u16>(), lists).prop_map(
        |(id, cell_count, flags, (objects, buildings, restrictions))| {
            let mut flags = LandBlockInfoFlags::from_bits_retain(flags);
            flags.set(LandBlockInfoFlags::RESTRICTIONS, restrictions.is_some());
            LandBlockInfo { id, cell_count, objects, flags, buildings, restrictions }
        },
    )
}

fn env_cell() -> impl Strategy<Value = EnvCell> {
    let portal = any::<[u16; 4]>().prop_map(|[flags, polygon, other_cell, other_portal]| CellPortal {
        flags: PortalFlags::from_bits_retain(flags),
        polygon,
        other_cell,
        other_portal,
    });
    let shape = (any::<[u16; 2]>(), frame(), vec(any::<u16>(), 0..300), vec(any::<u16>(), 0..4));
    (id(), any::<u32>(), shape, vec(portal, 0..4), option::of(static_objects()), option::of(any::<u32>()))
        .prop_map(|(id, flags, shape, portals, objects, restriction)| {
            let ([environment, structure], frame, visible, surfaces) = shape;
            let mut flags = EnvCellFlags::from_bits_retain(flags);
            flags.set(EnvCellFlags::OBJECTS, objects.is_some());
            flags.set(EnvCellFlags::RESTRICTION, restriction.is_some());
            let objects = objects.unwrap_or_default();
            EnvCell {
                id,
                flags,
                surfaces,
                environment,
                structure,
                frame,
                portals,
                visible,
                objects,
                restriction,
            }
        })
}

/// Generates a shape of a room. Its padding is zero, because the padding's length depends on everything before it.
fn cell_struct() -> impl Strategy<Value = CellStruct> {
    let trees = (bsp(BspKind::Cell), bsp(BspKind::Physics), option::of(bsp(BspKind::Drawing)), 1u32..);
    (any::<i32>(), vertices(), polygons(), vec(any::<u16>(), 0..4), polygons(), trees).prop_map(
        |(vertex_type, vertices, polygons, portals, physics_polygons, trees)| {
            let (cell_bsp, physics_bsp, drawing_bsp, yes) = trees;
            CellStruct {
                vertex_type,
                vertices,
                polygons,
                portals,
                padding: [0; 3],
                cell_bsp,
                physics_polygons,
                physics_bsp,
                has_drawing: Bool32(if drawing_bsp.is_some() { yes } else { 0 }),
                drawing_bsp,
                end_padding: [0; 3],
            }
        },
    )
}

fn environment() -> impl Strategy<Value = Environment> {
    (id(), vec((any::<u32>(), cell_struct()), 0..3))
        .prop_map(|(id, structures)| Environment { id, structures: structures.into_iter().collect() })
}

fn surface() -> impl Strategy<Value = Surface> {
    let fill = (any::<u32>(), id(), id());
    (any::<u32>(), fill, float(), float(), float()).prop_map(
        |(flags, (colour, texture, palette), translucency, luminosity, diffuse)| {
            let flags = SurfaceFlags::from_bits_retain(flags);
            let fill = if flags.has_texture() {
                SurfaceFill::Texture { texture, palette }
            } else {
                SurfaceFill::Colour(colour)
            };
            Surface { flags, fill, translucency, luminosity, diffuse }
        },
    )
}

fn surface_texture() -> impl Strategy<Value = SurfaceTexture> {
    (id(), any::<u32>(), any::<u8>(), vec(id(), 0..5))
        .prop_map(|(id, category, kind, images)| SurfaceTexture { id, category, kind, images })
}

fn render_surface() -> impl Strategy<Value = RenderSurface> {
    let format =
        prop_oneof![Just(PixelFormat::P8), Just(PixelFormat::INDEX16), any::<u32>().prop_map(PixelFormat)];
    (id(), any::<u32>(), any::<[u32; 2]>(), format, vec(any::<u8>(), 0..40), id()).prop_map(
        |(id, category, [width, height], format, data, palette)| {
            let palette = format.has_palette().then_some(palette);
            RenderSurface { id, category, width, height, format, data, palette }
        },
    )
}

fn palette() -> impl Strategy<Value = Palette> {
    (id(), vec(any::<u32>(), 0..20)).prop_map(|(id, colours)| Palette { id, colours })
}

fn round_trip<T: DatObject + PartialEq + std::fmt::Debug>(object: &T) -> Result<(), TestCaseError> {
    let bytes = object.encode();
    let again = T::decode(&bytes).map_err(|error| TestCaseError::fail(error.to_string()))?;
    prop_assert_eq!(&again, object);
    prop_assert_eq!(again.encode(), bytes);
    Ok(())
}

proptest! {
    #[test]
    fn motion_tables_round_trip(table in motion_table()) {
        round_trip(&table)?;
    }

    #[test]
    fn animations_round_trip(animation in animation()) {
        round_trip(&animation)?;
    }

    #[test]
    fn physics_scripts_round_trip(script in physics_script()) {
        round_trip(&script)?;
    }

    #[test]
    fn setups_round_trip(setup in setup()) {
        round_trip(&setup)?;
    }

    #[test]
    fn meshes_round_trip(mesh in gfx_obj()) {
        round_trip(&mesh)?;
    }

    #[test]
    fn regions_round_trip(region in region()) {
        round_trip(&region)?;
    }

    #[test]
    fn landblocks_round_trip(block in land_block(), info in land_block_info()) {
        round_trip(&block)?;
        round_trip(&info)?;
    }

    #[test]
    fn rooms_round_trip(cell in env_cell(), environment in environment()) {
        round_trip(&cell)?;
        round_trip(&environment)?;
    }

    #[test]
    fn surfaces_and_their_textures_round_trip(
        surface in surface(), texture in surface_texture(), image in render_surface(), palette in palette(),
    ) {
        round_trip(&surface)?;
        round_trip(&texture)?;
        round_trip(&image)?;
        round_trip(&palette)?;
    }

    #[test]
    fn arbitrary_bytes_are_rejected_or_round_trip(bytes in vec(any::<u8>(), 0..300)) {
        for kind in AnyObject::KINDS {
            let id = bytes.first_chunk::<4>().map_or(DataId(0), |id| DataId(u32::from_le_bytes(*id)));
            if let Ok(object) = AnyObject::decode(kind, id, &bytes) {
                prop_assert_eq!(object.encode(), bytes.clone());
            }
        }
    }
}
