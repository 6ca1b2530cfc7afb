using System;
using System.Collections.Generic;

namespace Acmotion.Examples
{
    /// <summary>
    /// How a server that has its own creatures and its own loop, such as ACE, asks for the one thing that it cannot know:
    /// how long a swing is, and when it hits. One table serves all creatures that use it, on all threads.
    /// </summary>
    public sealed class SwingTimes : IDisposable
    {
        private readonly Assets portal;
        private readonly Dictionary<uint, MotionTable> tables = new Dictionary<uint, MotionTable>();

        /// <summary>Opens the portal file of the game, or the built-in data if there is none.</summary>
        public SwingTimes(string portalPath = null)
        {
            portal = portalPath == null ? Assets.Mannequin() : Assets.Open(portalPath);
        }

        /// <summary>
        /// Returns when the blows of a swing land and when it is over, in seconds, for a creature with a motion table in a
        /// stance at a speed. The server waits for the first, rolls the damage, and lets the creature act again after the
        /// second.
        /// </summary>
        public (double[] Hits, double End) Swing(uint motionTable, uint stance, uint motion, float speed)
        {
            if (!tables.TryGetValue(motionTable, out var table))
            {
                table = new MotionTable(portal, motionTable);
                tables.Add(motionTable, table);
            }
            var timing = table.Timing(stance, motion, speed);
            var hits = new List<double>();
            foreach (var hook in timing.Hooks)
            {
                if (hook.IsAttack)
                {
                    hits.Add(hook.Time);
                }
            }
            return (hits.ToArray(), timing.LinkSeconds);
        }

        /// <inheritdoc/>
        public void Dispose()
        {
            foreach (var table in tables.Values)
            {
                table.Dispose();
            }
            portal.Dispose();
        }
    }

    /// <summary>How a client feeds UpdateMotion and what else arrives, and reads what to draw.</summary>
    public sealed class RemoteView : IDisposable
    {
        private readonly Assets portal = Assets.Mannequin();
        private readonly World world;
        private readonly PoseFrame frame = new PoseFrame();

        /// <summary>Creates an empty view.</summary>
        public RemoteView()
        {
            world = new World(portal, null, new WorldSettings { PresentsBetweenTicks = true });
        }

        /// <summary>The world, for what else is to be asked of it.</summary>
        public World World => world;

        /// <summary>Takes a message as it comes from the connection, whatever it is. Bad ones are reported, not fatal.</summary>
        public bool OnMessage(byte[] bytes)
        {
            try
            {
                world.Queue(bytes);
                return true;
            }
            catch (AcmotionException error) when (error.Status == Status.BadData)
            {
                return false;
            }
        }

        /// <summary>Draws a frame of the display at a time in seconds, as often as the display likes.</summary>
        public int Draw(double now, uint cameraCell, Action<uint, Matrix3x4> drawPart)
        {
            world.Advance(now);
            world.Present(cameraCell, frame, world.PresentationShare(now));
            for (var i = 0; i < frame.BodyCount; i++)
            {
                var body = frame.Bodies[i];
                for (var part = 0; part < body.Count; part++)
                {
                    drawPart(body.Guid, frame.Matrices[body.First + part]);
                }
            }
            return frame.BodyCount;
        }

        /// <inheritdoc/>
        public void Dispose()
        {
            world.Dispose();
            portal.Dispose();
        }
    }
}
