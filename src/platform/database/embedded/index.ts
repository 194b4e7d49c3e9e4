export { prepareDataDirectory } from './data-directory.ts';
export { hasCluster } from './ensure-cluster.ts';
export {
  type EmbeddedDatabaseOptions,
  openEmbeddedDatabase,
} from './open-embedded-database.ts';
