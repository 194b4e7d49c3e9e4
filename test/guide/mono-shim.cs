// What the guide's samples use of .NET 8 and Mono lacks: System.Text.Json.Nodes and System.Net.Http.Json.
using System.Collections;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using System.Threading.Tasks;
using System.Web.Script.Serialization;

namespace System.Text.Json.Nodes
{
    public class JsonNode
    {
        static readonly JavaScriptSerializer Json = new JavaScriptSerializer { MaxJsonLength = int.MaxValue };
        readonly object content;
        JsonNode(object content) { this.content = content; }
        static JsonNode Of(object value) { return value == null ? null : new JsonNode(value); }
        public static JsonNode Parse(string text) { return Of(Json.DeserializeObject(text)); }
        public static implicit operator JsonNode(bool value) { return new JsonNode(value); }
        public static implicit operator JsonNode(string value) { return new JsonNode(value); }
        public JsonNode this[string name]
        {
            get
            {
                object found;
                return ((IDictionary<string, object>)content).TryGetValue(name, out found) ? Of(found) : null;
            }
            set { ((IDictionary<string, object>)content)[name] = value.content; }
        }
        public JsonNode this[int index] { get { return Of(((object[])content)[index]); } }
        public JsonNode[] AsArray() { return ((object[])content).Select(Of).ToArray(); }
        public string ToJsonString() { return Json.Serialize(content); }
        public override string ToString()
        {
            return content is string ? (string)content : content is IEnumerable ? ToJsonString() : Convert.ToString(content);
        }
    }
}

namespace System.Net.Http.Json
{
    using System.Text.Json.Nodes;

    public static class JsonContent
    {
        public static HttpContent Create(object body)
        {
            var node = body as JsonNode;
            var text = node != null ? node.ToJsonString() : new JavaScriptSerializer().Serialize(body);
            return new StringContent(text, Encoding.UTF8, "application/json");
        }
    }

    public static class JsonCalls
    {
        public static async Task<JsonNode> ReadFromJsonAsync<T>(this HttpContent content)
        {
            return JsonNode.Parse(await content.ReadAsStringAsync());
        }
        public static Task<HttpResponseMessage> PostAsJsonAsync(this HttpClient http, string path, object body)
        {
            return http.PostAsync(path, JsonContent.Create(body));
        }
    }
}
