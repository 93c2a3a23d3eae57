// Stands for kubectl where pods are processes of this machine: what it does in a pod, and nothing else. PODS names a file that
// says what each Deployment is: { "postroom-gateway": { ip, said, ports: { "80": 8080 }, env } }.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';

const pods = JSON.parse(readFileSync(process.env.PODS, 'utf8'));
const [, verb, ...rest] =
  process.argv
    .slice(2)
    .join(' ')
    .match(/^-n \S+ (\S+) (.*)$/) ?? [];
const [what = '', ...more] = (rest[0] ?? '').split(' ');
const name = what.split('/')[1];
const run = { exec, 'port-forward': forward, logs }[verb];
if (!run || (name && !pods[name])) throw new Error(`no ${verb} ${what} here`);
run();

function exec() {
  const [dashes, program, file, ...args] = more;
  if (dashes !== '--' || program !== 'node') throw new Error(`${program} is not in the image`);
  const source = [
    '--conditions=@postroom/source',
    '-r',
    '@postroom/from-source/register',
    file.replace('/dist/', '/src/').replace(/js$/, 'ts'),
  ];
  const options = { env: { PATH: '', ...pods[name].env }, stdio: 'inherit' };
  spawn(process.execPath, [...source, ...args], options).on('exit', (code) => process.exit(code ?? 1));
}

function forward() {
  const [here, there = here] = more[0].split(':');
  const { ip, ports = {} } = pods[name];
  createServer((socket) => {
    const pod = connect(ports[there] ?? Number(there), ip);
    socket.pipe(pod).pipe(socket);
    for (const end of [socket, pod]) end.on('error', () => [socket, pod].forEach((one) => one.destroy()));
  }).listen(Number(here), '127.0.0.1');
}

function logs() {
  const [, label, value] = /^-l app\.kubernetes\.io\/(name|component)=(\S+)/.exec(rest[0]) ?? [];
  if (!label && !name) throw new Error(`whose logs are ${rest[0]}?`);
  const chosen = name ? [name] : Object.keys(pods).filter((pod) => label === 'name' || pod === `postroom-${value}`);
  // By labels it shows ten lines of each, unless it is told otherwise.
  const from = label && !more.includes('--tail=-1') ? -11 : 0;
  for (const pod of chosen)
    process.stdout.write(readFileSync(pods[pod].said, 'utf8').split('\n').slice(from).join('\n'));
}
