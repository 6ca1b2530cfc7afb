using System;
using System.IO;
using Acmotion.Examples;

namespace Acmotion.Tests
{
    /// <summary>Runs everything without a test framework: `mono acmotion-tests.exe ROOT`, the folder of the repository.</summary>
    internal static class Program
    {
        private static int Main(string[] arguments)
        {
            var root = arguments.Length > 0 ? arguments[0] : ".";
            try
            {
                Console.WriteLine(Roles.Watch());
                Console.WriteLine(Roles.Bot());
                Console.WriteLine(Roles.Serve());
                Console.WriteLine($"swing: {Checks.SwingTimes()}");
                Console.WriteLine($"poses: {Checks.RemotePoses()}");
                Console.WriteLine($"crowd: {Checks.CrowdDigest(root)}, as in Rust");
                foreach (var family in new[] { "stamps", "heading", "wire" })
                {
                    var path = Path.Combine(root, "tests", "golden", family + ".dev.jsonl.gz");
                    var (passed, skipped) = Vectors.Run(path);
                    Console.WriteLine($"vectors: {family}: {passed} passed, {skipped} of functions that are not offered");
                }
                Checks.SceneQuestions();
                Checks.BadInput();
                Checks.TwoThreads();
                Checks.SteadyTick();
                Console.WriteLine("checks: scene, bad input, two threads, a steady tick");
                return 0;
            }
            catch (Exception error)
            {
                Console.Error.WriteLine(error);
                return 1;
            }
        }
    }
}
