export { checkExchange } from './check-exchange.ts';
export { greetExchange } from './greet-exchange.ts';
export { readMailbox } from './mailbox.ts';
export { createMesh } from './mesh.ts';
export {
  deleteOldMeshMessages,
  findMeshMessage,
  listNotUnderstood,
  markLookedAt,
} from './messages-store.ts';
export { theExchange } from './open-exchange.ts';
