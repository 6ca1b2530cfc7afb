using System;
using Acmotion.Native;

namespace Acmotion
{
    /// <summary>What a checker found.</summary>
    public enum Finding
    {
        /// <summary>An honest client can have sent it.</summary>
        Ok = 0,
        /// <summary>Honest, but out of date.</summary>
        Late = 1,
        /// <summary>The player needed more time than it had.</summary>
        TooFast = 2,
        /// <summary>The player went through something solid.</summary>
        ThroughWall = 3,
        /// <summary>The player is where its motion does not lead.</summary>
        Teleported = 4,
        /// <summary>A jump that is faster than the player's skill allows.</summary>
        JumpTooHigh = 5,
        /// <summary>The player claims to stand where there is no ground.</summary>
        InAir = 6,
        /// <summary>A field with a value that the original client never sends.</summary>
        ImpossibleFlags = 7,
        /// <summary>A number that was used before.</summary>
        StampReplayed = 8,
        /// <summary>Something else.</summary>
        Other = 9,
    }

    /// <summary>How a checker judged a position.</summary>
    public enum CheckMethod
    {
        /// <summary>Not at all.</summary>
        None = 0,
        /// <summary>By the motion that follows from the last report.</summary>
        Predicted = 1,
        /// <summary>By where the server's orders can have led it.</summary>
        Ordered = 2,
        /// <summary>By speed and walls alone.</summary>
        Reach = 3,
    }

    /// <summary>What a checker says about one message.</summary>
    public struct Verdict
    {
        internal Verdict(AcmVerdict verdict)
        {
            Finding = (Finding)verdict.finding;
            IsAlarm = verdict.is_alarm != 0;
            Method = (CheckMethod)verdict.method;
            Error = verdict.error;
            Allowed = verdict.allowed;
            Needed = verdict.needed;
            Lead = verdict.lead;
        }

        /// <summary>What was found.</summary>
        public Finding Finding { get; }
        /// <summary>Whether an honest client could not have sent it.</summary>
        public bool IsAlarm { get; }
        /// <summary>How the position was judged.</summary>
        public CheckMethod Method { get; }
        /// <summary>The distance to the nearest honest position, in metres.</summary>
        public float Error { get; }
        /// <summary>The error up to which a report is honest, in metres.</summary>
        public float Allowed { get; }
        /// <summary>The time that an honest client needs from its last report to this one, in seconds.</summary>
        public double Needed { get; }
        /// <summary>The time by which the client is ahead of the arrival of its messages, in seconds.</summary>
        public double Lead { get; }
    }

    /// <summary>Checks what the client of one player reports. Calls from several threads wait for each other.</summary>
    public sealed unsafe class Checker : IDisposable
    {
        private readonly NativeHandle handle;

        /// <summary>Creates a checker. Without a scene only speed, jumps, fields and stamps are checked.</summary>
        public Checker(Assets assets, Scene scene, uint player, Era era = Era.EndOfRetail)
        {
            AcmCheckSettings settings;
            Call.Check(NativeMethods.acm_check_settings_init(&settings));
            settings.era = (uint)era;
            ulong checker;
            Call.Check(NativeMethods.acm_checker_new(assets.Id, scene == null ? 0 : scene.Id, player, &settings, &checker));
            GC.KeepAlive(assets);
            GC.KeepAlive(scene);
            handle = new NativeHandle(checker);
        }

        /// <summary>Records a message that the server sends to the client.</summary>
        public void Sent(ArraySegment<byte> message, double now)
        {
            fixed (byte* start = message.Array)
            {
                Call.Check(NativeMethods.acm_checker_sent(handle.Id, start + message.Offset, (UIntPtr)message.Count, now));
            }
            GC.KeepAlive(this);
        }

        /// <summary>Checks a message of the client. Null if it does not concern the player's motion.</summary>
        public Verdict? Receive(ArraySegment<byte> message, double now)
        {
            AcmVerdict verdict;
            bool found;
            fixed (byte* start = message.Array)
            {
                found = Call.Check(NativeMethods.acm_checker_receive(
                    handle.Id, start + message.Offset, (UIntPtr)message.Count, now, &verdict));
            }
            GC.KeepAlive(this);
            return found ? new Verdict(verdict) : (Verdict?)null;
        }

        /// <summary>The last finding in words.</summary>
        public string LastFinding
        {
            get
            {
                var id = handle.Id;
                return Call.Text((buffer, capacity, length) =>
                    NativeMethods.acm_checker_text(id, buffer, capacity, length));
            }
        }

        /// <inheritdoc/>
        public void Dispose() => handle.Dispose();
    }
}
