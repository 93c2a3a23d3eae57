const { spawn } = require('node:child_process');
const { join } = require('node:path');
const { createInterface } = require('node:readline');

/** One database server for the whole run, in a process of its own; every test file takes a database of its own in it. */
module.exports = async function globalSetup() {
  if (process.env.MONGODB_URI) {
    process.env.POSTROOM_TEST_MONGODB_URI = process.env.MONGODB_URI;
    return;
  }
  const args = [
    '--conditions=@postroom/source',
    '-r',
    '@postroom/from-source/register',
    join(__dirname, 'embedded-mongo.ts'),
  ];
  const server = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  globalThis.stopTestEngines = () => new Promise((resolve) => server.once('exit', resolve) && server.stdin.end());
  process.env.POSTROOM_TEST_MONGODB_URI = await firstLine(server);
};

function firstLine(server) {
  return new Promise((resolve, reject) => {
    createInterface(server.stdout).once('line', resolve);
    server.once('exit', (code) => reject(new Error(`the embedded database ended with code ${code}`)));
  });
}
