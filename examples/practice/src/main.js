import { createServer } from 'node:http';
import { Onward } from '@onward/client';
import { createApp } from './app.js';
import { keepUpToDate } from './follow.js';
import { createSessions } from './sessions.js';
import { openStore } from './store.js';

// A GP practice's own web app. Its users sign in to Onward as themselves, find services, and refer people; the app itself, with keys
// of its own, is told what becomes of the referrals.

const site = required('SITE');
const refreshToken = required('REFRESH_TOKEN');
const port = Number(process.env.PORT ?? 3000);
const ownAddress = process.env.OWN_ADDRESS ?? `http://localhost:${port}`;

const store = openStore(process.env.STORE ?? 'store.json');
/** The app's own client. It is a system account of the practice, so it goes on when people leave. */
const onward = connect();
const following = keepUpToDate({ onward, store, webhookUrl: `${ownAddress}/told`, log });
const sessions = createSessions();

const server = createServer(createApp({ site, ownAddress, store, sessions, following, log }));
server.once('error', (error) => {
  const { code } = /** @type {NodeJS.ErrnoException} */ (error);
  giveUp(
    code === 'EADDRINUSE'
      ? `Port ${port} is in use: set PORT to another.`
      : `The app cannot listen on port ${port}: ${code}`,
  );
});
server.listen(port, '127.0.0.1', async () => {
  log(`The practice's app is at ${ownAddress}`);
  // The webhook is added when somebody can answer its calls.
  await following.start().catch((error) => log('The webhook could not be added.', error));
});

for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => {
    following.stop();
    server.close();
    server.closeAllConnections();
  });

/** @param {string} name */
function required(name) {
  const value = process.env[name];
  return value || giveUp(`Set ${name}: the README says how.`);
}

function connect() {
  try {
    return new Onward({ site, auth: { refreshToken }, userAgent: 'example-practice/0.1' });
  } catch (error) {
    return giveUp(`SITE or REFRESH_TOKEN is wrong: ${/** @type {Error} */ (error).message}`);
  }
}

/**
 * One line for whoever starts the app says more than where in the code it ended.
 * @param {string} message
 * @returns {never}
 */
function giveUp(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

/**
 * Errors of the client hold no token and nothing about a person, so they may be logged. Addresses of requests may not.
 * @param {string} message
 * @param {unknown} [error]
 */
function log(message, error) {
  process.stdout.write(`${message}${error ? ` ${error}` : ''}\n`);
}
