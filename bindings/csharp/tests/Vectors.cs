using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.IO.Compression;

namespace Acmotion.Tests
{
    /// <summary>
    /// Runs conformance vectors (docs/conformance.md) through the C# layer: of the family `stamps` the order of stamps, of
    /// `heading` the headings of rotations and positions, and all of `wire`. A function that is not offered here is counted,
    /// never passed.
    /// </summary>
    public static class Vectors
    {
        /// <summary>Runs a file. Returns how many lines passed and were skipped; throws at the first that fails.</summary>
        public static (int Passed, int Skipped) Run(string path)
        {
            var (passed, skipped, number) = (0, 0, 0);
            using (var file = File.OpenRead(path))
            using (var unpacked = new GZipStream(file, CompressionMode.Decompress))
            using (var reader = new StreamReader(unpacked))
            {
                string text;
                while ((text = reader.ReadLine()) != null)
                {
                    number++;
                    var line = Json.Object(text);
                    string difference;
                    if (!RunLine(line, out difference))
                    {
                        skipped++;
                    }
                    else if (difference == null)
                    {
                        passed++;
                    }
                    else
                    {
                        throw new InvalidOperationException($"{Path.GetFileName(path)}:{number}: {difference}");
                    }
                }
            }
            return (passed, skipped);
        }

        private static bool RunLine(Dictionary<string, object> line, out string difference)
        {
            difference = null;
            if (line.ContainsKey("msg"))
            {
                difference = RunMessage(line);
                return true;
            }
            switch ((string)line["fn"])
            {
                case "newer16":
                    difference = Differs("newer", line["newer"], Commands.IsNewer(Stamp(line, "new"), Stamp(line, "old")));
                    return true;
                case "newer15":
                    var newer = Commands.IsNewerAction(Stamp(line, "action"), Stamp(line, "server"));
                    difference = Differs("newer", line["newer"], newer);
                    return true;
                case "get_heading":
                    var turned = new Position(0xA9B40001, 0, 0, 0) { Rotation = Rotation(line["q"]) };
                    difference = DiffersByAngle("heading", line["heading"], turned.Heading);
                    return true;
                case "set_heading":
                    var turning = new Position(0xA9B40001, 0, 0, 0) { Rotation = Rotation(line["q_in"]) };
                    turning.Heading = (float)(double)line["heading"];
                    difference = DiffersByAngle("get_heading", line["get_heading"], turning.Heading);
                    return true;
                case "heading_to":
                    var from = At(line["cell1"], line["p1"]);
                    difference = DiffersBy("distance", line["distance"], from.DistanceTo(At(line["cell2"], line["p2"])), 0.01);
                    return true;
                default:
                    return false;
            }
        }

        private static string RunMessage(Dictionary<string, object> line)
        {
            var isClients = (string)line["dir"] == "c2s";
            var bytes = Bytes((string)line["hex"]);
            if (isClients)
            {
                // The vectors have the action without its envelope: opcode, sequence number, opcode of the action.
                var head = new byte[12];
                BitConverter.GetBytes(0xF7B1u).CopyTo(head, 0);
                BitConverter.GetBytes(7u).CopyTo(head, 4);
                BitConverter.GetBytes(Hex(line["opcode"])).CopyTo(head, 8);
                var whole = new byte[head.Length + bytes.Length];
                head.CopyTo(whole, 0);
                bytes.CopyTo(whole, head.Length);
                bytes = whole;
            }
            var direction = isClients ? Direction.ClientToServer : Direction.ServerToClient;
            var message = Wire.Decode(direction, bytes);
            if (message == null)
            {
                return "not decoded";
            }
            var again = BitConverter.ToString(Wire.Encode(message));
            return Differs("bytes", BitConverter.ToString(bytes), again)
                ?? Differs("opcode", Hex(line["opcode"]), (uint)message.Type)
                ?? CompareFields(line, message);
        }

        private static string CompareFields(Dictionary<string, object> line, WireMessage message)
        {
            var difference = line.ContainsKey("guid") ? Differs("guid", Hex(line["guid"]), message.Guid) : null;
            switch (message.Type)
            {
                case MessageType.UpdateMotion:
                    return difference ?? CompareMovement(line, message);
                case MessageType.UpdatePosition:
                    var position = At(line["cell"], line["o"]);
                    return difference ?? Differs("cell", position.Cell, message.Position.Cell)
                        ?? DiffersBy("x", (double)position.Origin.X, message.Position.Origin.X, 0)
                        ?? Differs("velocity", line["velocity"] != null, message.HasVelocity)
                        ?? DiffersBy("position", line["position"], message.PositionStamp, 0)
                        ?? DiffersBy("teleport", line["teleport"], message.Teleport, 0);
                case MessageType.VectorUpdate:
                    return difference ?? DiffersBy("velocity", ((List<object>)line["velocity"])[2], message.Velocity.Z, 1e-5);
                case MessageType.MoveToState:
                    return DiffersBy("instance", line["instance"], message.Instance, 0)
                        ?? Differs("contact", line["contact"], (message.Contact & 1) != 0)
                        ?? Differs("standing_long_jump", line["standing_long_jump"], (message.Contact & 2) != 0)
                        ?? (message.Forward.HasValue ? Differs("fwd", Hex(line["fwd"]), message.Forward.Value) : null)
                        ?? (message.HoldKey.HasValue ? DiffersBy("hold", line["hold"], message.HoldKey.Value, 0) : null);
                case MessageType.AutonomousPosition:
                    return DiffersBy("force_position", line["force_position"], message.ForcePosition, 0)
                        ?? Differs("contact", line["contact"], message.Contact != 0);
                case MessageType.Jump:
                    return DiffersBy("extent", line["extent"], message.Extent, 1e-6);
                default:
                    return "another type";
            }
        }

        private static string CompareMovement(Dictionary<string, object> line, WireMessage message)
        {
            var difference = Differs("autonomous", line["autonomous"], message.IsAutonomous)
                ?? DiffersBy("movement_type", line["movement_type"], (int)message.MovementType, 0)
                ?? Differs("style", Hex(line["style"]), message.Style);
            if (difference != null)
            {
                return difference;
            }
            if (message.MovementType != MovementType.State)
            {
                var parameters = (Dictionary<string, object>)line["params"];
                return Differs("flags", Hex(parameters["flags"]), message.MoveFlags)
                    ?? DiffersBy("speed", parameters["speed"], message.Speed, 1e-5)
                    ?? (line.ContainsKey("target") ? Differs("target", Hex(line["target"]), message.Target) : null);
            }
            var state = (Dictionary<string, object>)line["state"];
            var actions = (List<object>)state["commands"];
            if (message.Forward.HasValue)
            {
                difference = Differs("fwd", ShortCommand(state["fwd"]), message.Forward.Value);
            }
            if (message.TurnSpeed.HasValue)
            {
                difference = difference ?? DiffersBy("turn_speed", state["turn_speed"], message.TurnSpeed.Value, 1e-5);
            }
            difference = difference ?? Differs("commands", actions.Count, message.Actions.Length);
            for (var i = 0; difference == null && i < actions.Count; i++)
            {
                var action = (List<object>)actions[i];
                difference = Differs("command", ShortCommand(action[0]), message.Actions[i].Command)
                    ?? DiffersBy("command.speed", action[1], message.Actions[i].Speed, 1e-5)
                    ?? Differs("command.autonomous", action[2], message.Actions[i].IsAutonomous);
            }
            return difference;
        }

        private static string Differs(string what, object expected, object got)
        {
            return Equals(expected, got) ? null : $"{what}: expected {expected}, got {got}";
        }

        private static string DiffersBy(string what, object expected, double got, double tolerance)
        {
            return Math.Abs((double)expected - got) <= tolerance ? null : $"{what}: expected {expected}, got {got}";
        }

        private static string DiffersByAngle(string what, object expected, double got)
        {
            var off = Math.Abs((double)expected - got) % 360;
            return Math.Min(off, 360 - off) <= 0.02 ? null : $"{what}: expected {expected}, got {got}";
        }

        private static ushort Stamp(Dictionary<string, object> line, string name) => (ushort)(double)line[name];

        /// <summary>A command that has 16 bits on the wire, where 0 decodes to the first entry of the table (rule E6).</summary>
        private static uint ShortCommand(object text) => Hex(text) == 0 ? 0x80000000 : Hex(text);

        private static uint Hex(object text) => Convert.ToUInt32(((string)text).Substring(2), 16);

        private static Quat Rotation(object list)
        {
            var q = (List<object>)list;
            return new Quat((float)(double)q[0], (float)(double)q[1], (float)(double)q[2], (float)(double)q[3]);
        }

        private static Position At(object cell, object list)
        {
            var o = (List<object>)list;
            return new Position(Hex(cell), (float)(double)o[0], (float)(double)o[1], (float)(double)o[2]);
        }

        private static byte[] Bytes(string hex)
        {
            var bytes = new byte[hex.Length / 2];
            for (var i = 0; i < bytes.Length; i++)
            {
                bytes[i] = byte.Parse(hex.Substring(2 * i, 2), NumberStyles.HexNumber, CultureInfo.InvariantCulture);
            }
            return bytes;
        }
    }
}
