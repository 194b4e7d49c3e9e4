export { countDeliveries } from './count-deliveries-store.ts';
export { createReferralListener } from './create-referral-listener.ts';
export { deliver } from './deliver.ts';
export { outboxPages } from './pages.ts';
export { deliveryRoutes } from './routes.ts';
export { tendDeliveries } from './tend-deliveries.ts';
