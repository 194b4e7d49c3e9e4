import { once } from 'node:events';
import { createServer } from 'node:http';
import { Provider } from 'oidc-provider';

// A peer: token introspection (RFC 7662) by a certified provider that keeps its tokens in memory. Its port is the first
// argument. It prints a live access token once it serves.
const port = Number(process.argv[2]);
const provider = new Provider(`http://127.0.0.1:${port}`, {
  clients: [
    {
      client_id: 'peer',
      client_secret: 'peer',
      redirect_uris: [],
      response_types: [],
      grant_types: ['client_credentials'],
      token_endpoint_auth_method: 'client_secret_basic',
    },
  ],
  cookies: { keys: ['peer'] },
  features: {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    introspection: { enabled: true },
  },
});
const server = createServer(provider.callback()).listen(port, '127.0.0.1');
await once(server, 'listening');

const client = (await provider.Client.find('peer'))!;
const token = new provider.ClientCredentials({ client, scope: '' } as never);
const text = await token.save();
console.log(`ready ${text}`);
