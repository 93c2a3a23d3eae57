import { startEmbeddedMongo } from '@postroom/embedded/start';

void main();

/** Says its address and lives until its parent closes standard input, or is gone. */
async function main(): Promise<void> {
  const server = await startEmbeddedMongo({});
  process.stdout.write(`${server.uri}\n`);
  process.stdin.resume();
  process.stdin.once('end', () => void server.close().then(() => process.exit(0)));
}
