using System;

namespace Acmotion.Examples
{
    /// <summary>The three roles of the project's README, small: a client, a bot and a server, on the built-in data.</summary>
    public static class Roles
    {
        private const uint Creature = 0x80000001;
        private const uint Me = 0x50000001;
        private const int Frames = 300;

        private static Position Place(float y) => new Position(0xA9B40001, 12, y, 94);

        /// <summary>A client that shows what a server sends.</summary>
        public static string Watch()
        {
            using (var assets = Assets.Mannequin())
            using (var server = new World(assets))
            using (var client = new World(assets))
            {
                var creature = server.Spawn(new EntitySpec(Creature, Place(12)), 0);
                client.Queue(creature.Describe(Describe.Object, "Drudge"));
                creature.GoTo(Place(24), 0);
                var shown = new PoseFrame();
                var arrivals = 0;
                for (var frame = 1; frame <= Frames; frame++)
                {
                    var now = frame / 30.0;
                    server.Advance(now);
                    foreach (var message in server.DrainBroadcasts())
                    {
                        client.Queue(message.Bytes);
                    }

                    // A client's frame: queue what has arrived, advance, draw. That is all.
                    client.Advance(now);
                    client.Present(0xA9B40001, shown);
                    foreach (var happened in client.DrainEvents())
                    {
                        if (happened.Kind == EventKind.MoveTo && happened.MoveTo == MoveToStep.Arrived)
                        {
                            arrivals++;
                        }
                    }
                }
                var body = shown.Bodies[0];
                var apart = creature.Position.DistanceTo(body.Position);
                Expect(arrivals == 1 && shown.BodyCount == 1 && apart < 0.1f, "the client shows the creature at its goal");
                return $"watch: the creature is at {creature.Position}, shown {apart:0.00} m off with {body.Count} parts";
            }
        }

        /// <summary>A bot: a request to a player in the town, and how it ends.</summary>
        public static string Bot()
        {
            using (var portal = Assets.Mannequin())
            using (var cells = Assets.Town())
            using (var town = new Scene(portal, cells))
            using (var world = new World(portal, town, new WorldSettings { Player = Me }))
            {
                world.Spawn(new EntitySpec(Me, Position.Landmark("spawn")), 0);
                world.Player.SetSkills(new Skills(200, 100), 0);
                var walk = world.Player.WalkTo(Position.Landmark("doorstep"), 0);
                var (end, sent) = (Progress.Queued, 0);
                for (var frame = 1; frame <= Frames; frame++)
                {
                    world.Advance(frame / 30.0);
                    foreach (var message in world.DrainOutbound())
                    {
                        sent += message.Bytes.Count; // socket.Send(message.Bytes)
                    }
                    foreach (var happened in world.DrainEvents())
                    {
                        if (happened.Kind == EventKind.Request && happened.Number == walk)
                        {
                            end = happened.Request;
                        }
                    }
                }
                Expect(end == Progress.Done && sent > 0, "the bot walks to the door");
                return $"bot: the walk to the door ends with {end}, {sent} bytes were sent";
            }
        }

        /// <summary>A server: a creature, a player that is checked, and an observer.</summary>
        public static string Serve()
        {
            using (var portal = Assets.Mannequin())
            using (var cells = Assets.Town())
            using (var town = new Scene(portal, cells))
            using (var server = new World(portal, town))
            using (var client = new World(portal, town, new WorldSettings { Player = Me }))
            using (var observer = new World(portal, town))
            using (var checker = new Checker(portal, town, Me))
            {
                var skills = new Skills(200, 100);
                var player = server.Spawn(new EntitySpec(Me, Position.Landmark("spawn")).WithSkills(skills), 0);
                client.Spawn(new EntitySpec(Me, Position.Landmark("spawn")).WithSkills(skills), 0);
                var creature = server.Spawn(new EntitySpec(Creature, Position.Landmark("ramp_foot")), 0);
                observer.Queue(player.Describe(Describe.Object, "Mannequin"));
                observer.Queue(creature.Describe(Describe.Object, "Drudge"));
                creature.GoTo(Position.Landmark("outdoor_stairs_foot"), 0);
                var forward = Commands.Get("WalkForward");
                var (judged, alarms) = (0, 0);
                for (var frame = 1; frame <= Frames; frame++)
                {
                    var now = frame / 30.0;
                    if (frame == 30)
                    {
                        client.Player.Press(forward, now);
                    }
                    if (frame == 60)
                    {
                        client.Player.Release(forward, now);
                    }
                    client.Advance(now);
                    foreach (var message in client.DrainOutbound())
                    {
                        var verdict = checker.Receive(message.Bytes, now);
                        judged += verdict.HasValue ? 1 : 0;
                        alarms += verdict.HasValue && verdict.Value.IsAlarm ? 1 : 0;
                        player.FollowClient(message.Bytes, now);
                    }
                    server.Advance(now);
                    if (frame % 30 == 0)
                    {
                        player.ReportPosition();
                        creature.ReportPosition();
                    }
                    foreach (var message in server.DrainBroadcasts())
                    {
                        observer.Queue(message.Bytes);
                    }
                    observer.Advance(now);
                }
                var apart = player.Position.DistanceTo(observer[Me].Position);
                Expect(judged > 0 && alarms == 0 && apart < 0.5f, "the observer sees the player where it is");
                return $"serve: {judged} reports of the player were checked, {alarms} alarms; the observer is {apart:0.00} m off";
            }
        }

        private static void Expect(bool isRight, string what)
        {
            if (!isRight)
            {
                throw new InvalidOperationException($"not so: {what}");
            }
        }
    }
}
