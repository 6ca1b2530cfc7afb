using System;
using System.IO;
using Acmotion.Examples;
using Xunit;

namespace Acmotion.Tests
{
    /// <summary>The checks as tests, for machines with a .NET SDK: `dotnet test bindings/csharp/tests`.</summary>
    public class XunitTests
    {
        private static string Root()
        {
            var folder = new DirectoryInfo(AppContext.BaseDirectory);
            while (folder != null && !File.Exists(Path.Combine(folder.FullName, "bindings", "crowd.digest")))
            {
                folder = folder.Parent;
            }
            return folder == null ? "." : folder.FullName;
        }

        [Fact]
        public void A_client_watches() => Assert.StartsWith("watch", Roles.Watch());

        [Fact]
        public void A_bot_walks() => Assert.StartsWith("bot", Roles.Bot());

        [Fact]
        public void A_server_serves() => Assert.StartsWith("serve", Roles.Serve());

        [Fact]
        public void Swings_have_times() => Assert.NotEmpty(Checks.SwingTimes());

        [Fact]
        public void Remotes_have_poses() => Assert.NotEmpty(Checks.RemotePoses());

        [Fact]
        public void The_crowd_is_that_of_the_engine() => Assert.NotEmpty(Checks.CrowdDigest(Root()));

        [Theory]
        [InlineData("stamps", 896)]
        [InlineData("heading", 550)]
        [InlineData("wire", 1590)]
        public void Vectors_pass(string family, int expected)
        {
            var path = Path.Combine(Root(), "tests", "golden", family + ".dev.jsonl.gz");
            Assert.Equal(expected, Vectors.Run(path).Passed);
        }

        [Fact]
        public void A_scene_answers() => Checks.SceneQuestions();

        [Fact]
        public void Bad_input_throws() => Checks.BadInput();

        [Fact]
        public void Threads_share_a_world() => Checks.TwoThreads();

        [Fact]
        public void A_steady_tick_allocates_nothing() => Checks.SteadyTick();
    }
}
