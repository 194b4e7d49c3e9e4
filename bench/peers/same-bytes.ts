import { readFileSync } from 'node:fs';
import { fastify } from 'fastify';

// The ceiling of an answer: the same bytes, from memory. The first argument is its port, the second a file with the
// bytes.
const bytes = readFileSync(process.argv[3]!);
const app = fastify();
app.get('/', (_request, reply) => reply.type('application/json; charset=utf-8').send(bytes));
await app.listen({ host: '127.0.0.1', port: Number(process.argv[2]) });
console.log('ready');
