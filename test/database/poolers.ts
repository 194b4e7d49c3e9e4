import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { chooseLauncher } from '../../src/platform/database/embedded/programs.ts';
import { freePort } from '../process/site-process.ts';
import { quickFolder } from './memory-folder.ts';

// Many hosts put a pooler between a site and PostgreSQL. This is PgBouncer itself where the machine has it, and small
// servers that treat their clients in the same way.

export type Pooler = { readonly connection: pg.ClientConfig; close(): Promise<void> };

/** The settings that PgBouncer accepts when a connection opens. It refuses others, unless it is told otherwise. */
const takenAtTheStart = ['user', 'database', 'client_encoding', 'application_name', 'DateStyle', 'TimeZone'];

/** Passes everything on to PostgreSQL. It refuses connections that begin with settings that PgBouncer does not take. */
export async function strictPooler(target: pg.ClientConfig): Promise<Pooler> {
  return listen(target, (near) => {
    near.once('data', (hello) => {
      const strange = settingsIn(hello).find((name) => !takenAtTheStart.includes(name));
      if (strange !== undefined)
        return near.end(
          message('E', text(`SFATAL`, 'C08P01', `Munsupported startup parameter: ${strange}`, '')),
        );
      const far = connectTo(target);
      far.on('error', () => near.destroy()).on('close', () => near.destroy());
      near.on('close', () => far.destroy());
      far.write(hello);
      near.pipe(far).pipe(near);
    });
  });
}

/**
 * Lends its one session to each client that sends something, as PgBouncer in transaction mode does between
 * transactions.
 */
export async function lendingPooler(target: pg.ClientConfig): Promise<Pooler> {
  const session = new pg.Client(target);
  await session.connect();
  const pooler = await listen(target, (near) => {
    let isGreeted = false;
    near.on('data', async (said) => {
      if (!isGreeted) {
        isGreeted = true;
        return near.write(Buffer.concat([message('R', Buffer.alloc(4)), ready]));
      }
      if (said.toString('latin1', 0, 1) !== 'Q') return near.end();
      near.write(
        answerOf(await session.query({ text: said.toString('utf8', 5, said.length - 1), rowMode: 'array' })),
      );
    });
  });
  return {
    connection: pooler.connection,
    async close() {
      await pooler.close();
      await session.end();
    },
  };
}

const ready = message('Z', Buffer.from('I'));

function answerOf(result: unknown): Buffer {
  const { fields, rows, command } = [result].flat().at(-1) as pg.QueryArrayResult;
  const parts: Buffer[] = [];
  for (const row of rows) {
    const head = Buffer.alloc(18);
    head.writeInt32BE(25, 6);
    parts.push(message('T', Buffer.concat([int16(1), text(fields[0]!.name), head])));
    const value = Buffer.from(String(row[0]));
    parts.push(message('D', Buffer.concat([int16(1), int32(value.length), value])));
  }
  return Buffer.concat([...parts, message('C', text(command ?? 'SET')), ready]);
}

/** PgBouncer with its defaults in this mode, as a process of its own; undefined where the machine does not have it. */
export async function pgBouncer(target: pg.ClientConfig, mode: string): Promise<Pooler | undefined> {
  if (!hasPgBouncer()) return undefined;
  const folder = await quickFolder('onward-pgbouncer-');
  const port = await freePort();
  const { host, port: farPort, user, password, database } = target;
  const login = `host=${host} port=${farPort} user=${user} password=${password ?? ''}`;
  const file = join(folder, 'pgbouncer.ini');
  const ini = `[databases]\n${database} = ${login}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =\nauth_type = any\npool_mode = ${mode}\n`;
  await writeFile(file, ini);
  // It refuses to run as root, as PostgreSQL does.
  const launch = await chooseLauncher(folder);
  const { file: program, args } = launch('pgbouncer', ['-q', file]);
  const child = spawn(program, args, { stdio: 'ignore' });
  await untilItListens(port, child);
  return {
    connection: { host: '127.0.0.1', port, user, database } as pg.ClientConfig,
    async close() {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function hasPgBouncer(): boolean {
  try {
    execFileSync('pgbouncer', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

async function untilItListens(port: number, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    const socket = createConnection(port, '127.0.0.1');
    const answer = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (answer) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`pgbouncer ended with ${child.exitCode}`);
}

async function listen(target: pg.ClientConfig, serve: (near: Socket) => void): Promise<Pooler> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((near) => {
    sockets.add(near);
    near.on('error', () => undefined).on('close', () => sockets.delete(near));
    serve(near);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return {
    connection: { ...target, host: '127.0.0.1', port },
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}

function connectTo({ host = '127.0.0.1', port = 5432 }: pg.ClientConfig): Socket {
  return host.startsWith('/') ? createConnection(`${host}/.s.PGSQL.${port}`) : createConnection(port, host);
}

/** The names of the settings in the message that opens a connection: length, version, then names and values in turn. */
function settingsIn(hello: Buffer): string[] {
  const words = hello.toString('utf8', 8).split('\0');
  return words.filter((word, index) => index % 2 === 0 && word !== '');
}

function message(kind: string, body: Buffer): Buffer {
  return Buffer.concat([Buffer.from(kind), int32(body.length + 4), body]);
}

const text = (...words: string[]) => Buffer.from(`${words.join('\0')}\0`);

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeInt16BE(value);
  return bytes;
}
