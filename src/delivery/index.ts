export {
  checkExchange,
  deleteOldMeshMessages,
  findMeshMessage,
  greetExchange,
  listNotUnderstood,
  markLookedAt,
  readMailbox,
  theExchange,
} from './channels/mesh/index.ts';
export { confirmationPages } from './confirmation/pages.ts';
export { countDeliveries } from './count-deliveries-store.ts';
export { createReferralListener } from './create-referral-listener.ts';
export { deliver } from './deliver.ts';
export { deliverNew } from './deliver-new.ts';
export { outboxPages } from './pages.ts';
export { pollChannels } from './poll-channels.ts';
export { presentDelivery } from './present-delivery.ts';
export { deliveryRoutes } from './routes.ts';
export { deliverySchema } from './schemas.ts';
export { simulatorPages } from './simulator/pages.ts';
export { withSimulator } from './simulator/plan-steps.ts';
export { simulatorRoutes } from './simulator/routes.ts';
export { simulate } from './simulator/simulate.ts';
export { listDeliveriesOf } from './store.ts';
export { tendDeliveries } from './tend-deliveries.ts';
export { watchDeliveries } from './watch-deliveries.ts';
export { worklistPages } from './worklist/pages.ts';
export { worklistRoutes } from './worklist/routes.ts';
export { tellOperators } from './worklist/tell-operators.ts';
