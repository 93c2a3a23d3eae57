import { expect, it } from '@jest/globals';
import { describeChart } from './describe-chart.ts';
import { helmTemplate } from './helm.ts';

describeChart('what the chart refuses', () => {
  it.each([
    ['an unknown key of a service', 'services.gateway.replica=2', 'replica'],
    ['an unknown key of the defaults', 'defaults.imgae.tag=1', 'imgae'],
    ['an unknown key at the top', 'ingres.enabled=true', 'ingres'],
    ['a misspelt service', 'services.mailbox-raed.replicas=2', 'mailbox-raed'],
    ['a wrong type', 'services.gateway.replicas=many', 'replicas'],
    [
      'an operator of a service without an operator port',
      'services.operator.operates={gateway}',
      'services.operator.operates',
    ],
    ['an unknown feature', 'features={chnages}', 'features'],
    ['an unknown engine', 'services.gateway.engines={postgres}', 'services.gateway'],
    ['a secret in the values', 'engines.mongodb.uri=mongodb://user:pass@host', 'uri'],
    ['a call of a service that is not there', 'services.gateway.calls={nobody}', 'services.gateway.calls'],
    ['a call of a service that answers no gRPC', 'services.workspace.calls={operator}', 'services.workspace.calls'],
    [
      'a memory limit that no heap can be made of',
      'services.gateway.resources.limits.memory=0.5Ti',
      'services.gateway.resources.limits.memory',
    ],
    [
      'an autoscaler upside down',
      'defaults.autoscaling.enabled=true,defaults.autoscaling.minReplicas=9',
      'autoscaling',
    ],
    ['development engines with a migration before them', 'dev.engines.enabled=true', 'migrations.mode'],
    ['a route without a Gateway', 'httpRoute.enabled=true', 'httpRoute.parentRefs'],
    ['scrapers that nobody lets in', 'monitoring.serviceMonitor.enabled=true', 'networkPolicy.metricsFrom'],
    [
      'lag that KEDA cannot ask for',
      'services.classifier.autoscaling.enabled=true',
      'engines.kafka.keda.bootstrapServers',
    ],
    [
      'lag of a service that consumes nothing',
      'services.gateway.autoscaling.enabled=true,services.gateway.autoscaling.by=lag',
      'services.gateway.autoscaling.by',
    ],
    [
      'more readers than partitions',
      'services.forwarder.autoscaling.enabled=true,services.forwarder.autoscaling.maxReplicas=13',
      'services.forwarder.autoscaling.maxReplicas',
    ],
    ['a classifier without a model', 'engines.llm.env.LLM_BASE_URL=null', 'engines.llm.env.LLM_BASE_URL'],
    ['an address of a model that is none', 'engines.llm.env.LLM_BASE_URL=models', 'name the endpoint of the model'],
    ['an address without a host', 'engines.llm.env.LLM_BASE_URL=https://', 'name the endpoint of the model'],
    [
      'a password in the address of a model',
      'engines.llm.env.LLM_BASE_URL=https://user:pass@models.example/v1',
      'name the endpoint of the model',
    ],
    ['an ingress without a host', 'ingress.enabled=true', 'ingress.host'],
    ['an address for a host', 'ingress.enabled=true,ingress.host=https://mail.example.com', 'ingress.host'],
    ['an address for a host of a route', 'httpRoute.hostnames={https://mail.example.com}', 'httpRoute.hostnames.0'],
  ])('%s, by the name of the key', (_what, assignment, named) => {
    expect(helmTemplate({ set: [assignment] }).error).toContain(named);
  });
});
