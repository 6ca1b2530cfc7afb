using System;
using System.Diagnostics;

namespace Acmotion.Cost
{
    /// <summary>
    /// The cost of a tick of 1,000 remotes with poses through C#: see bindings/cost. Prints the median time of a tick in
    /// nanoseconds, and a hash of the last matrices.
    /// </summary>
    internal static class Program
    {
        private const uint Count = 1000;
        private const int WarmUp = 200;
        private const int Ticks = 1000;

        private static unsafe int Main()
        {
            using (var assets = Assets.Mannequin())
            using (var world = new World(assets))
            {
                for (uint number = 0; number < Count; number++)
                {
                    var position = new Position(0xA9B40001, 2 + 4 * (number % 40), 2 + 4 * (number / 40), 94)
                    {
                        Heading = number * 67 % 360,
                    };
                    world.Spawn(new EntitySpec(0x50000100 + number, position).WithMotion(0x8000003D, 0x44000007), 0);
                }
                var frame = new PoseFrame();
                var events = new WorldEvent[4096];
                var times = new long[Ticks];
                bool more;
                for (var tick = 1; tick <= WarmUp + Ticks; tick++)
                {
                    var before = Stopwatch.GetTimestamp();
                    world.Advance(tick * 0.033334);
                    world.TakeEvents(events, out more);
                    world.Present(0xA9B40001, frame, 1, true);
                    var after = Stopwatch.GetTimestamp();
                    if (tick > WarmUp)
                    {
                        times[tick - WarmUp - 1] = after - before;
                    }
                }
                var hash = 0x811C9DC5u;
                fixed (Matrix3x4* matrices = frame.Matrices)
                {
                    var bits = (uint*)matrices;
                    for (var i = 0; i < frame.MatrixCount * 12; i++)
                    {
                        hash = unchecked((hash ^ bits[i]) * 0x01000193u);
                    }
                }
                Array.Sort(times);
                Console.WriteLine($"{times[Ticks / 2] * (1e9 / Stopwatch.Frequency):0} {hash:x8}");
                return 0;
            }
        }
    }
}
