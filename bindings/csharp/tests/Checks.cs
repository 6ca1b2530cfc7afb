using System;
using System.IO;
using System.Threading;
using Acmotion.Examples;

namespace Acmotion.Tests
{
    /// <summary>What must hold. Each method throws if it does not; xunit and the program for Mono call the same ones.</summary>
    public static class Checks
    {
        private const int Count = 40;
        private const int Ticks = 300;
        private const double Tick = 0.033334;

        /// <summary>Makes the crowd of crates/acmotion-ffi/tests/crowd.rs, and compares its digest with the engine's.</summary>
        public static string CrowdDigest(string root)
        {
            using (var assets = Assets.Mannequin())
            using (var world = new World(assets))
            {
                for (uint number = 0; number < Count; number++)
                {
                    world.Spawn(new EntitySpec(Guid(number), Start(number)), 10);
                }
                for (var tick = 0; tick < Ticks; tick++)
                {
                    var now = 10.0 + tick * Tick;
                    for (var number = (uint)(tick % 30); number < Count; number += 30)
                    {
                        Report(world, number, (ushort)(tick / 30), now);
                    }
                    if (tick == 100)
                    {
                        world[Guid(2)].Chase(Guid(9), now);
                    }
                    world.Tick(now);
                    foreach (var happened in world.DrainEvents())
                    {
                        Expect(happened.Time <= now, "events are of the past");
                    }
                }
                var snapshot = world.Snapshot();
                var hash = 0xCBF29CE484222325;
                foreach (var one in snapshot)
                {
                    hash = unchecked((hash ^ one) * 0x100000001B3);
                }
                var digest = $"{snapshot.Length} {hash:x16}";
                var expected = File.ReadAllText(Path.Combine(root, "bindings", "crowd.digest")).Trim();
                Expect(digest == expected, $"the crowd is {expected}, not {digest}");
                using (var restored = World.Restore(snapshot, assets))
                {
                    Expect(restored[Guid(3)].State.Equals(world[Guid(3)].State), "a restored world is the same");
                }
                return digest;
            }
        }

        private static uint Guid(uint number) => 0x50000100 + number;

        private static Position Start(uint number)
        {
            return new Position(0xA9B40001, 20 + 6 * (number % 8), 20 + 5 * (number / 8), 94) { Heading = number * 67 % 360 };
        }

        private static void Report(World world, uint number, ushort second, double now)
        {
            var stamp = (ushort)(1 + second);
            if (number % 5 != 4)
            {
                var reported = Start(number);
                reported.Origin.X += 0.7f * second;
                reported.Origin.Y += 0.35f * second;
                world.Receive(
                    Wire.Encode(new WireMessage(MessageType.UpdatePosition)
                    {
                        Guid = Guid(number),
                        Position = reported,
                        PositionFlags = 4,
                        PositionStamp = stamp,
                    }),
                    now);
            }
            var sidesteps = number % 3 == 1;
            world.Receive(
                Wire.Encode(new WireMessage(MessageType.UpdateMotion)
                {
                    Guid = Guid(number),
                    MovementStamp = stamp,
                    Style = Commands.Get("NonCombat"),
                    Forward = sidesteps ? (uint?)null : Commands.Get("RunForward"),
                    ForwardSpeed = 0.5f + number / 64f,
                    Sidestep = sidesteps ? Commands.Get("SideStepRight") : (uint?)null,
                    Turn = number % 4 == 1 ? Commands.Get("TurnRight") : (uint?)null,
                }),
                now);
            if (number % 7 == 3)
            {
                var velocity = new WireMessage(MessageType.VectorUpdate) { Guid = Guid(number), VectorStamp = stamp };
                velocity.Velocity = new Vec3(1.5f, 3, 8);
                world.Receive(Wire.Encode(velocity), now);
            }
        }

        /// <summary>A server asks how long a swing is, and when it hits.</summary>
        public static string SwingTimes()
        {
            using (var times = new SwingTimes())
            {
                var (hits, end) =
                    times.Swing(0x09000001, Commands.Get("SwordCombat"), Commands.Get("SlashHigh"), 1);
                var faster = times.Swing(0x09000001, Commands.Get("SwordCombat"), Commands.Get("SlashHigh"), 2).End;
                Expect(hits.Length > 0 && hits[0] > 0 && hits[0] < end, "a slash hits before it is over");
                Expect(Math.Abs(faster * 2 - end) < 1e-6, "twice the speed takes half the time");
                ExpectStatus(Status.NotFound, () => times.Swing(0x09000001, Commands.Get("NonCombat"), 0x1000FFFF, 1));
                return $"a slash takes {end:0.000} s and hits after {hits[0]:0.000} s";
            }
        }

        /// <summary>A client feeds UpdateMotion and reads poses between ticks.</summary>
        public static string RemotePoses()
        {
            using (var assets = Assets.Mannequin())
            using (var server = new World(assets))
            using (var view = new RemoteView())
            {
                var creature = server.Spawn(new EntitySpec(1, new Position(0xA9B40001, 12, 12, 94)), 0);
                Expect(view.OnMessage(creature.Describe()), "a description is taken");
                Expect(!view.OnMessage(new byte[] { 0x4C, 0xF7, 0, 0, 1 }), "garbage is not");
                creature.SetMovement(
                    new WireMessage(MessageType.UpdateMotion)
                    {
                        Style = Commands.Get("NonCombat"),
                        Forward = Commands.Get("RunForward"),
                        ForwardSpeed = 1.5f,
                    },
                    0);
                foreach (var message in server.DrainBroadcasts())
                {
                    Expect(view.OnMessage(message.ToArray()), "a movement is taken");
                }
                var (parts, last) = (0, 0f);
                for (var frame = 1; frame <= 288; frame++)
                {
                    view.Draw(frame / 144.0, 0xA9B40001, (guid, matrix) =>
                    {
                        parts++;
                        last = matrix.Translation.Y;
                    });
                }
                Expect(parts > 288 && last > 16, $"the remote runs north: {last}");
                view.World[1].Explain(true);
                view.World.Advance(2.1);
                Expect(view.World[1].ExplanationJson().Contains("root_motion"), "a step is explained");
                return $"{parts} parts were drawn, the last at y {last:0.00}";
            }
        }

        /// <summary>Bad input is an exception, and never more.</summary>
        public static void BadInput()
        {
            var assets = Assets.Mannequin();
            var world = new World(assets);
            ExpectStatus(Status.BadData, () => world.Queue(new byte[] { 1, 2, 3 }));
            ExpectStatus(Status.BadData, () => world.Receive(new byte[0], 0));
            ExpectStatus(Status.BadData, () => World.Restore(new byte[] { 9 }, assets));
            ExpectStatus(Status.NotFound, () => world.Despawn(5, 0));
            ExpectStatus(Status.NotFound, () => Assets.Open("no such folder/file.dat"));
            ExpectStatus(Status.Refused, () => world.Player.WalkTo(new Position(0xA9B40001, 1, 1, 94), 0));
            ExpectStatus(Status.BadArgument, () => world.Spawn(new EntitySpec(0, new Position(0xA9B40001, 1, 1, 94)), 0));
            EntityState state;
            Expect(!world.TryGet(5, out state), "there is no such entity");
            world.Dispose();
            world.Dispose();
            try
            {
                world.Advance(1);
                Expect(false, "a world that was disposed of throws");
            }
            catch (ObjectDisposedException)
            {
            }
            // A world keeps what it needs of its assets.
            var second = new World(assets);
            assets.Dispose();
            second.Spawn(new EntitySpec(1, new Position(0xA9B40001, 12, 12, 94)), 0);
            Expect(second.Advance(0.1), "it advances");
            second.Dispose();
        }

        /// <summary>Two threads use one world, and each waits for the other.</summary>
        public static void TwoThreads()
        {
            using (var assets = Assets.Mannequin())
            using (var world = new World(assets))
            {
                world.Spawn(new EntitySpec(1, new Position(0xA9B40001, 12, 12, 94)), 0);
                Exception failure = null;
                ThreadStart work = () =>
                {
                    try
                    {
                        for (var frame = 1; frame < 500; frame++)
                        {
                            world.Advance(frame / 30.0);
                            Expect(world[1].State.Guid == 1, "the entity is there");
                        }
                    }
                    catch (Exception error)
                    {
                        failure = error;
                    }
                };
                var threads = new[] { new Thread(work), new Thread(work) };
                foreach (var thread in threads)
                {
                    thread.Start();
                }
                foreach (var thread in threads)
                {
                    thread.Join();
                }
                Expect(failure == null, $"no thread fails: {failure}");
            }
        }

        /// <summary>A steady tick with events and poses allocates nothing: no garbage is collected in 20,000 of them.</summary>
        public static void SteadyTick()
        {
            using (var assets = Assets.Mannequin())
            using (var world = new World(assets))
            {
                for (uint number = 0; number < 8; number++)
                {
                    var spec = new EntitySpec(Guid(number), Start(number));
                    world.Spawn(spec.WithMotion(Commands.Get("NonCombat"), Commands.Get("RunForward")), 0);
                }
                var frame = new PoseFrame();
                var tick = 1;
                for (; tick < 100; tick++)
                {
                    Step(world, frame, tick);
                }
                GC.Collect();
                var (before, bytes) = (GC.CollectionCount(0), GC.GetTotalMemory(false));
                for (; tick < 20100; tick++)
                {
                    Step(world, frame, tick);
                }
                var (collected, grown) = (GC.CollectionCount(0) - before, GC.GetTotalMemory(false) - bytes);
                Expect(collected == 0 && grown < 64 * 1024, $"{collected} collections, {grown} bytes more");
            }
        }

        private static void Step(World world, PoseFrame frame, int tick)
        {
            world.Advance(tick / 30.0);
            foreach (var happened in world.DrainEvents())
            {
                Expect(happened.Guid != 0, "events have an entity");
            }
            foreach (var message in world.DrainOutbound())
            {
                Expect(message.Bytes.Count == 0, "there is no player");
            }
            world.Present(0xA9B40001, frame);
        }

        /// <summary>A scene answers questions.</summary>
        public static void SceneQuestions()
        {
            using (var portal = Assets.Mannequin())
            using (var cells = Assets.Town())
            using (var scene = new Scene(portal, cells))
            {
                var (yard, hall, cellar) = (Above("spawn"), Above("hall"), Above("cellar"));
                Expect(scene.HeightAt(yard).HasValue && !scene.HeightAt(cellar).HasValue, "there is land outdoors only");
                Expect(scene.GroundAt(hall).Value.Surface == Surface.Room, "the hall has a floor");
                Expect(scene.LineOfSight(yard, hall).IsClear, "through the open doorway");
                Expect(!scene.LineOfSight(yard, cellar).IsClear, "not into the cellar");
                var wall = Position.Landmark("wall");
                var beyond = wall;
                beyond.Origin.Y += 4;
                var sweep = scene.SweepShape(Shape.Human(), wall, beyond);
                Expect(sweep.Arrived && sweep.Position.DistanceTo(beyond) > 1, "the wall is in the way");
                Expect(scene.CanStandAt(Shape.Human(), Position.Landmark("hall")).HasValue, "there is room in the hall");
                Expect(portal.MotionTables().Length >= 3, "the mannequin has motion tables");
            }
        }

        private static Position Above(string name)
        {
            var position = Position.Landmark(name);
            position.Origin.Z += 1.5f;
            return position;
        }

        private static void Expect(bool isRight, string what)
        {
            if (!isRight)
            {
                throw new InvalidOperationException($"not so: {what}");
            }
        }

        private static void ExpectStatus(Status expected, Action act)
        {
            try
            {
                act();
            }
            catch (AcmotionException error)
            {
                Expect(error.Status == expected && error.Message.Length > 0, $"{expected}, not {error.Status}");
                return;
            }
            throw new InvalidOperationException($"not so: {expected} is thrown");
        }
    }
}
