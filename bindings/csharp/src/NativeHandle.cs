using System;
using System.Runtime.InteropServices;
using Acmotion.Native;

namespace Acmotion
{
    /// <summary>
    /// Owns the object of a native handle. A handle is a 64-bit number that the library checks, not a pointer, so it is kept
    /// beside the field of the base class, which has only 32 bits on 32-bit systems.
    /// </summary>
    internal sealed class NativeHandle : SafeHandle
    {
        private readonly ulong id;

        internal NativeHandle(ulong id) : base(IntPtr.Zero, true)
        {
            this.id = id;
            SetHandle((IntPtr)1);
        }

        /// <summary>The handle, for a call. Throws if the object was disposed of.</summary>
        internal ulong Id
        {
            get
            {
                if (IsClosed)
                {
                    throw new ObjectDisposedException("the native object");
                }
                return id;
            }
        }

        /// <inheritdoc/>
        public override bool IsInvalid => id == 0;

        /// <inheritdoc/>
        protected override bool ReleaseHandle()
        {
            return NativeMethods.acm_free(id) == AcmStatus.Ok;
        }
    }
}
