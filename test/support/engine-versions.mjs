// Name and version of each real engine, for the first lines of a run. An engine that says nothing is "unknown" here, and the tests will tell.
import { createRequire } from 'node:module';
import { connect } from 'node:net';

const require = createRequire(import.meta.url);
const LIMIT_MS = 5_000;

export const ENGINES = [
  { name: 'MongoDB', variable: 'MONGODB_URI', embedded: 'embedded server', versionOf: mongoVersion },
  { name: 'Kafka', variable: 'KAFKA_BROKERS', embedded: 'in-process bus', versionOf: kafkaVersion },
  { name: 'Redis', variable: 'REDIS_URL', embedded: 'in-process counters', versionOf: redisVersion },
];

/** One line about an engine: where it is, without its password, and what it is. */
export async function describeEngine({ name, variable, embedded, versionOf }, address) {
  if (!address) return `${name}: ${embedded}`;
  const version = await versionOf(address).catch(() => undefined);
  return `${name}: ${address.replace(/\/\/[^@/]*@/, '//')} (${variable}), ${version ?? 'version unknown'}`;
}

async function mongoVersion(address) {
  const { mongo } = require('mongoose');
  const client = await mongo.MongoClient.connect(address, { serverSelectionTimeoutMS: LIMIT_MS });
  try {
    const build = await client.db('admin').command({ buildInfo: 1 });
    // A server that only speaks the protocol reports the MongoDB version that it imitates.
    return `speaks MongoDB ${build.version}${build.gitVersion ? '' : ', another server than MongoDB'}`;
  } finally {
    await client.close();
  }
}

async function redisVersion(address) {
  const { Redis } = require('ioredis');
  const client = new Redis(address.split(',')[0], { lazyConnect: true, commandTimeout: LIMIT_MS, retryStrategy: null });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const info = await client.info('server');
    const said = (field) => new RegExp(`^${field}:(.*)$`, 'm').exec(info)?.[1].trim();
    return said('valkey_version') ? `Valkey ${said('valkey_version')}` : `Redis ${said('redis_version')}`;
  } finally {
    client.disconnect();
  }
}

/** A broker does not tell its release. The level of its metadata, by the ApiVersions request, comes nearest. */
async function kafkaVersion(address) {
  const [host, port] = address.split(',')[0].split(':');
  // ApiVersions (key 18, version 3), correlation 1, no client id; then software name and version, "t" each.
  const request = Buffer.from([0, 18, 0, 3, 0, 0, 0, 1, 255, 255, 0, 2, 0x74, 2, 0x74, 0]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(request.length);
  const answer = await exchange(Number(port), host, Buffer.concat([length, request]));
  const level = metadataLevel(answer);
  return level === undefined ? undefined : `metadata.version ${level}`;
}

/** The finalized feature: its name as a compact string, then its highest and lowest level; the last of the name's places. */
function metadataLevel(answer) {
  const name = 'metadata.version';
  const at = answer.lastIndexOf(name);
  return at < 0 ? undefined : answer.readInt16BE(at + name.length);
}

function exchange(port, host, bytes) {
  return new Promise((resolve, reject) => {
    const pieces = [];
    const socket = connect(port, host, () => socket.write(bytes));
    socket.setTimeout(LIMIT_MS, () => socket.destroy(new Error('no answer')));
    socket.on('error', reject);
    socket.on('data', (piece) => {
      pieces.push(piece);
      const whole = Buffer.concat(pieces);
      if (whole.length < 4 || whole.length < 4 + whole.readUInt32BE(0)) return;
      socket.destroy();
      resolve(whole);
    });
  });
}
