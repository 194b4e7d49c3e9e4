export { hasCluster } from './cluster.ts';
export { clusterPath, prepareDataDirectory } from './data-directory.ts';
export type { Purpose } from './lease.ts';
export {
  type EmbeddedDatabaseOptions,
  openEmbeddedDatabase,
} from './open-embedded-database.ts';
