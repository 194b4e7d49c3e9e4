import { fastify } from 'fastify';

// The ceiling: a Fastify server that does as little as possible for a call. Its port is the first argument.
const app = fastify();
app.get('/', (_request, reply) => reply.send({ result: 'OK' }));
await app.listen({ host: '127.0.0.1', port: Number(process.argv[2]) });
console.log('ready');
