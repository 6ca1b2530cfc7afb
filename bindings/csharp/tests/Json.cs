using System;
using System.Collections.Generic;
using System.Globalization;
using System.Text;

namespace Acmotion.Tests
{
    /// <summary>Reads JSON into dictionaries, lists, strings, doubles, booleans and nulls: enough for conformance vectors.</summary>
    internal sealed class Json
    {
        private readonly string text;
        private int at;

        private Json(string text)
        {
            this.text = text;
        }

        internal static Dictionary<string, object> Object(string line)
        {
            return (Dictionary<string, object>)new Json(line).Value();
        }

        private object Value()
        {
            SkipSpace();
            switch (text[at])
            {
                case '{':
                    var members = new Dictionary<string, object>();
                    for (at++; !Ends('}');)
                    {
                        var name = Text();
                        Skip(':');
                        members[name] = Value();
                    }
                    return members;
                case '[':
                    var items = new List<object>();
                    for (at++; !Ends(']');)
                    {
                        items.Add(Value());
                    }
                    return items;
                case '"':
                    return Text();
                case 't':
                    at += 4;
                    return true;
                case 'f':
                    at += 5;
                    return false;
                case 'n':
                    at += 4;
                    return null;
                default:
                    var start = at;
                    while (at < text.Length && "+-.eE0123456789".IndexOf(text[at]) >= 0)
                    {
                        at++;
                    }
                    return double.Parse(text.Substring(start, at - start), CultureInfo.InvariantCulture);
            }
        }

        private string Text()
        {
            SkipSpace();
            Skip('"');
            var result = new StringBuilder();
            for (; text[at] != '"'; at++)
            {
                if (text[at] == '\\')
                {
                    at++;
                }
                result.Append(text[at]);
            }
            at++;
            return result.ToString();
        }

        /// <summary>Skips a comma, or the end of a list.</summary>
        private bool Ends(char end)
        {
            SkipSpace();
            if (text[at] == ',')
            {
                at++;
                SkipSpace();
                return false;
            }
            if (text[at] == end)
            {
                at++;
                return true;
            }
            return false;
        }

        private void Skip(char expected)
        {
            SkipSpace();
            if (text[at] != expected)
            {
                throw new FormatException($"{expected} expected at {at}");
            }
            at++;
        }

        private void SkipSpace()
        {
            while (at < text.Length && char.IsWhiteSpace(text[at]))
            {
                at++;
            }
        }
    }
}
