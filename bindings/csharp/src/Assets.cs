using System;
using System.Runtime.InteropServices;
using Acmotion.Native;

namespace Acmotion
{
    /// <summary>A dat file: the built-in data, or a file of the game. Can be shared by threads.</summary>
    public sealed unsafe class Assets : IDisposable
    {
        private readonly NativeHandle handle;

        private Assets(ulong id)
        {
            handle = new NativeHandle(id);
        }

        internal ulong Id => handle.Id;

        /// <summary>The built-in portal file: a mannequin that walks, runs, fights and falls.</summary>
        public static Assets Mannequin()
        {
            Call.CheckAbi();
            ulong id;
            Call.Check(NativeMethods.acm_assets_mannequin(&id));
            return new Assets(id);
        }

        /// <summary>The built-in cell file: the mannequin's town.</summary>
        public static Assets Town()
        {
            Call.CheckAbi();
            ulong id;
            Call.Check(NativeMethods.acm_assets_town(&id));
            return new Assets(id);
        }

        /// <summary>Opens a dat file. Nothing else may change it while it is open.</summary>
        public static Assets Open(string path)
        {
            Call.CheckAbi();
            ulong id;
            var text = Call.Utf8(path, nameof(path));
            fixed (byte* start = text)
            {
                Call.Check(NativeMethods.acm_assets_open(start, (UIntPtr)(text.Length - 1), &id));
            }
            return new Assets(id);
        }

        /// <summary>Lists the ids of the objects in a range, in ascending order.</summary>
        public uint[] List(uint first, uint last)
        {
            var ids = new uint[64];
            while (true)
            {
                UIntPtr count;
                AcmStatus status;
                fixed (uint* start = ids)
                {
                    status = NativeMethods.acm_assets_list(Id, first, last, start, (UIntPtr)ids.Length, &count);
                }
                GC.KeepAlive(this);
                if (status == AcmStatus.BufferTooSmall)
                {
                    ids = new uint[(int)count];
                    continue;
                }
                Call.Check(status);
                Array.Resize(ref ids, (int)count);
                return ids;
            }
        }

        /// <summary>The ids of all motion tables.</summary>
        public uint[] MotionTables() => List(0x09000000, 0x0900FFFF);

        /// <inheritdoc/>
        public void Dispose() => handle.Dispose();
    }

    /// <summary>A style of a motion table.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Style
    {
        /// <summary>The style.</summary>
        public uint Command;
        /// <summary>The substate in which a body stands in this style.</summary>
        public uint DefaultSubstate;
    }

    /// <summary>What a motion of a table is.</summary>
    public enum MotionKind
    {
        /// <summary>It loops.</summary>
        Cycle = 0,
        /// <summary>It is added to a cycle.</summary>
        Modifier = 1,
        /// <summary>It leads from a substate to another, or is an action.</summary>
        Link = 2,
    }

    /// <summary>A motion of a style.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Motion
    {
        private readonly uint kind;
        /// <summary>The motion.</summary>
        public readonly uint Command;
        /// <summary>For a link, the substate that it starts from; 0 for any.</summary>
        public readonly uint From;

        /// <summary>What it is.</summary>
        public MotionKind Kind => (MotionKind)kind;
    }

    /// <summary>How long a motion takes, and when it hits.</summary>
    public sealed class Timing
    {
        internal Timing(AcmTiming timing, Hook[] hooks)
        {
            LinkSeconds = timing.link_seconds;
            CycleSeconds = timing.has_cycle != 0 ? timing.cycle_seconds : (double?)null;
            FirstAttack = timing.attacks != 0 ? timing.first_attack : (double?)null;
            Hooks = hooks;
        }

        /// <summary>The time until the cycle starts or the action is done, in seconds.</summary>
        public double LinkSeconds { get; }
        /// <summary>The time of one pass of the cycle, in seconds; null if there is none.</summary>
        public double? CycleSeconds { get; }
        /// <summary>The time of the first attack hook, in seconds from the start; null if there is none.</summary>
        public double? FirstAttack { get; }
        /// <summary>The hooks, in the order in which they fire.</summary>
        public Hook[] Hooks { get; }
    }

    /// <summary>A hook of a motion, and the time at which it fires.</summary>
    public struct Hook
    {
        internal Hook(AcmTimedHook hook)
        {
            Time = hook.time;
            Share = hook.share >= 0 ? hook.share : (double?)null;
            Animation = hook.animation;
            Frame = hook.frame;
            Type = hook.hook;
            Part = hook.part;
            Radius = hook.radius;
            Height = hook.height;
        }

        /// <summary>The time in seconds from the start of the motion.</summary>
        public double Time { get; }
        /// <summary>The share of the link that has passed by then; null for hooks of the cycle.</summary>
        public double? Share { get; }
        /// <summary>The animation.</summary>
        public uint Animation { get; }
        /// <summary>The frame that is left.</summary>
        public int Frame { get; }
        /// <summary>The number of the hook's type; 3 is an attack.</summary>
        public uint Type { get; }
        /// <summary>For an attack: the part that strikes.</summary>
        public uint Part { get; }
        /// <summary>For an attack: the reach.</summary>
        public float Radius { get; }
        /// <summary>For an attack: the height.</summary>
        public float Height { get; }
        /// <summary>Whether it is the moment at which an attack hits.</summary>
        public bool IsAttack => Type == NativeMethods.ACM_HOOK_ATTACK;
    }

    /// <summary>A motion table: which motions there are, how long they take and when they hit. Can be shared by threads.</summary>
    public sealed unsafe class MotionTable : IDisposable
    {
        private readonly NativeHandle handle;

        /// <summary>Loads a motion table (0x09…) with its animations.</summary>
        public MotionTable(Assets assets, uint id)
        {
            ulong table;
            Call.Check(NativeMethods.acm_table_load(assets.Id, id, &table));
            GC.KeepAlive(assets);
            handle = new NativeHandle(table);
        }

        /// <summary>The styles, in the order of the file.</summary>
        public Style[] Styles()
        {
            UIntPtr count;
            NativeMethods.acm_table_styles(handle.Id, null, UIntPtr.Zero, &count);
            // One more, so that it can be pinned even if there is none.
            var styles = new Style[(int)count + 1];
            fixed (Style* start = styles)
            {
                Call.Check(NativeMethods.acm_table_styles(handle.Id, (AcmStyle*)start, count, &count));
            }
            GC.KeepAlive(this);
            Array.Resize(ref styles, (int)count);
            return styles;
        }

        /// <summary>The motions of a style: cycles, modifiers and links.</summary>
        public Motion[] Motions(uint style, Era era = Era.EndOfRetail)
        {
            UIntPtr count;
            NativeMethods.acm_table_motions(handle.Id, style, (uint)era, null, UIntPtr.Zero, &count);
            var motions = new Motion[(int)count + 1];
            fixed (Motion* start = motions)
            {
                Call.Check(NativeMethods.acm_table_motions(handle.Id, style, (uint)era, (AcmMotion*)start, count, &count));
            }
            GC.KeepAlive(this);
            Array.Resize(ref motions, (int)count);
            return motions;
        }

        /// <summary>
        /// Tells how long a motion takes and when it hits. Throws with <see cref="Status.NotFound"/> if the table does not
        /// have it.
        /// </summary>
        public Timing Timing(uint style, uint motion, float speed = 1, uint from = 0)
        {
            var query = new AcmMotionQuery
            {
                struct_size = (uint)sizeof(AcmMotionQuery),
                style = style,
                motion = motion,
                from = from,
                speed = speed,
            };
            AcmTiming timing;
            Call.Check(NativeMethods.acm_table_timing(handle.Id, &query, &timing));
            var native = new AcmTimedHook[(int)timing.hooks + 1];
            UIntPtr count;
            fixed (AcmTimedHook* start = native)
            {
                Call.Check(NativeMethods.acm_table_hooks(handle.Id, &query, start, (UIntPtr)native.Length, &count));
            }
            GC.KeepAlive(this);
            var hooks = new Hook[(int)count];
            for (var i = 0; i < hooks.Length; i++)
            {
                hooks[i] = new Hook(native[i]);
            }
            return new Timing(timing, hooks);
        }

        /// <inheritdoc/>
        public void Dispose() => handle.Dispose();
    }
}
