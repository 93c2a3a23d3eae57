import { mongoUri, positive, text } from '@postroom/runtime/config';

/** The variables of the database, to be spread into a service's configuration. Each has its `_FILE` form. */
export const storeFields = {
  /** It may contain options of the driver, such as tls, replicaSet, readPreference and authSource. */
  MONGODB_URI: mongoUri,
  /** PEM of the authority behind the database's certificate, when it is not a public one. */
  MONGODB_TLS_CA: text.optional(),
  /** The most connections of one process. */
  MONGODB_POOL_SIZE: positive.optional(),
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
