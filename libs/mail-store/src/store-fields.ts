import { mongoUri, positive, text } from '@postroom/runtime/config';

/** The variables of the database, to be spread into a service's configuration. Each has its `_FILE` form. */
export const storeFields = {
  MONGODB_URI: mongoUri.describe(
    'The address of MongoDB with options of the driver: `replicaSet`, `authSource`, `tls`, `readPreference` for listings.',
  ),
  MONGODB_TLS_CA: text
    .optional()
    .describe("PEM of the authority behind the database's certificate, when it is not a public one."),
  MONGODB_POOL_SIZE: positive.optional().describe('The most connections of one process. The default is 20.'),
};

type StoreConfig = { MONGODB_URI: string; MONGODB_TLS_CA?: string | undefined; MONGODB_POOL_SIZE?: number | undefined };

export interface StoreSettings {
  uri: string;
  tlsCa?: string | undefined;
  poolSize?: number | undefined;
}

export function storeSettings({ MONGODB_URI, MONGODB_TLS_CA, MONGODB_POOL_SIZE }: StoreConfig): StoreSettings {
  return { uri: MONGODB_URI, tlsCa: MONGODB_TLS_CA, poolSize: MONGODB_POOL_SIZE };
}
