import type { CommandHandler } from './request.ts';

/** The wire version of MongoDB 7.0; drivers take what they may use from it. */
const WIRE_VERSION = 21;
export const VERSION = '7.0.0';
export const SET_NAME = 'postroom';

export const hello: CommandHandler = {
  fields: [
    'helloOk',
    'client',
    'compression',
    'loadBalanced',
    'topologyVersion',
    'maxAwaitTimeMS',
    'saslSupportedMechs',
    'speculativeAuthenticate',
    'backpressure',
  ],
  run: ({ state, name, connection }) => ({
    ...(name === 'hello' ? { isWritablePrimary: true } : { ismaster: true, helloOk: true }),
    setName: SET_NAME,
    setVersion: 1,
    secondary: false,
    hosts: [state.address],
    primary: state.address,
    me: state.address,
    maxBsonObjectSize: 16 * 1024 * 1024,
    maxMessageSizeBytes: 48_000_000,
    maxWriteBatchSize: 100_000,
    localTime: new Date(),
    logicalSessionTimeoutMinutes: 30,
    connectionId: connection.id,
    minWireVersion: 0,
    maxWireVersion: WIRE_VERSION,
    readOnly: false,
  }),
};
