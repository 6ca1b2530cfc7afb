using System;
using System.Text;
using Acmotion.Native;

namespace Acmotion
{
    /// <summary>How a call of the native library ended.</summary>
    public enum Status
    {
        /// <summary>The call succeeded.</summary>
        Ok = 0,
        /// <summary>The call succeeded, and there is no answer.</summary>
        Nothing = 1,
        /// <summary>A pointer is null.</summary>
        NullPointer = -1,
        /// <summary>A pointer is not aligned.</summary>
        Misaligned = -2,
        /// <summary>A buffer is too small.</summary>
        BufferTooSmall = -3,
        /// <summary>The assembly and the native library are of different versions.</summary>
        StructSize = -4,
        /// <summary>The object was freed.</summary>
        BadHandle = -5,
        /// <summary>The object is of another kind.</summary>
        WrongKind = -6,
        /// <summary>An argument is not valid.</summary>
        BadArgument = -7,
        /// <summary>There is no such file, object or entity.</summary>
        NotFound = -8,
        /// <summary>Bytes are not what they should be.</summary>
        BadData = -9,
        /// <summary>The engine refused it.</summary>
        Refused = -10,
        /// <summary>A queue or a list is full.</summary>
        Full = -11,
        /// <summary>The native library panicked; the object can only be disposed of.</summary>
        Panic = -12,
    }

    /// <summary>A call of the native library failed.</summary>
    public sealed class AcmotionException : Exception
    {
        /// <summary>Creates an exception.</summary>
        public AcmotionException(Status status, string message) : base(message)
        {
            Status = status;
        }

        /// <summary>How the call ended.</summary>
        public Status Status { get; }
    }

    /// <summary>Turns statuses into exceptions, and buffers into strings and arrays.</summary>
    internal static unsafe class Call
    {
        internal delegate AcmStatus ByteWriter(byte* buffer, UIntPtr capacity, UIntPtr* length);

        static Call()
        {
            var layout = new AcmLayout
            {
                struct_size = (uint)sizeof(AcmLayout),
                abi_version = NativeMethods.ACM_ABI_VERSION,
                vec3 = (uint)sizeof(Vec3),
                position = (uint)sizeof(Position),
                matrix = (uint)sizeof(Matrix3x4),
                style = (uint)sizeof(Style),
                motion = (uint)sizeof(Motion),
                motion_query = (uint)sizeof(AcmMotionQuery),
                timing = (uint)sizeof(AcmTiming),
                segment = (uint)sizeof(AcmSegment),
                timed_hook = (uint)sizeof(AcmTimedHook),
                message = (uint)sizeof(AcmMessage),
                action = (uint)sizeof(WireAction),
                ground = (uint)sizeof(Ground),
                sight = (uint)sizeof(Sight),
                shape = (uint)sizeof(Shape),
                sweep = (uint)sizeof(Sweep),
                world_settings = (uint)sizeof(AcmWorldSettings),
                entity_spec = (uint)sizeof(AcmEntitySpec),
                skills = (uint)sizeof(Skills),
                order = (uint)sizeof(AcmOrder),
                span = (uint)sizeof(AcmSpan),
                batch = (uint)sizeof(AcmBatch),
                request = (uint)sizeof(AcmRequest),
                @event = (uint)sizeof(WorldEvent),
                view = (uint)sizeof(AcmView),
                body = (uint)sizeof(Body),
                presented = (uint)sizeof(AcmPresented),
                entity_state = (uint)sizeof(EntityState),
                check_settings = (uint)sizeof(AcmCheckSettings),
                verdict = (uint)sizeof(AcmVerdict),
            };
            AbiStatus = NativeMethods.acm_abi_check(&layout);
            AbiError = AbiStatus == AcmStatus.Ok ? null : LastError();
        }

        private static readonly AcmStatus AbiStatus;
        private static readonly string AbiError;

        /// <summary>Throws unless this assembly and the native library belong together.</summary>
        internal static void CheckAbi()
        {
            if (AbiStatus != AcmStatus.Ok)
            {
                throw new AcmotionException((Status)AbiStatus, AbiError);
            }
        }

        /// <summary>Throws if a call failed. Returns false if it had no answer.</summary>
        internal static bool Check(AcmStatus status)
        {
            if (status < AcmStatus.Ok)
            {
                throw new AcmotionException((Status)status, LastError());
            }
            return status == AcmStatus.Ok;
        }

        internal static string LastError()
        {
            var buffer = stackalloc byte[1024];
            UIntPtr length;
            var status = NativeMethods.acm_last_error(buffer, (UIntPtr)1024, &length);
            return status == AcmStatus.Ok ? Encoding.UTF8.GetString(buffer, (int)length) : "a long error";
        }

        /// <summary>Calls a function that writes bytes, with a buffer of the size that it needs.</summary>
        internal static byte[] Bytes(ByteWriter write)
        {
            var bytes = new byte[512];
            while (true)
            {
                UIntPtr length;
                AcmStatus status;
                fixed (byte* start = bytes)
                {
                    status = write(start, (UIntPtr)bytes.Length, &length);
                }
                if (status == AcmStatus.BufferTooSmall)
                {
                    bytes = new byte[(int)length];
                    continue;
                }
                if (!Check(status))
                {
                    return null;
                }
                Array.Resize(ref bytes, (int)length);
                return bytes;
            }
        }

        /// <summary>Calls a function that writes a text. Null if there is none.</summary>
        internal static string Text(ByteWriter write)
        {
            var bytes = Bytes(write);
            return bytes == null ? null : Encoding.UTF8.GetString(bytes);
        }

        internal static byte[] Utf8(string text, string name)
        {
            if (text == null)
            {
                throw new ArgumentNullException(name);
            }
            // Not empty, so that it can be pinned.
            return Encoding.UTF8.GetBytes(text + "\0");
        }
    }
}
