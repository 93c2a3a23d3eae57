{{/* (list $ name): the settings of one service as JSON. mergeOverwrite, because merge and default lose 0 and false. */}}
{{- define "postroom.settings" -}}
{{- $root := index . 0 -}}
{{- $name := index . 1 -}}
{{- $own := index $root.Values.services $name -}}
{{- $settings := mergeOverwrite (deepCopy $root.Values.defaults) (deepCopy $own) -}}
{{- range $callee := $settings.calls -}}
{{- if not (hasKey $root.Values.services $callee) -}}
{{- fail (printf "services.%s.calls: there is no service %q" $name $callee) -}}
{{- end -}}
{{- if eq (include "postroom.serves" (list $root $callee)) "nothing" -}}
{{- fail (printf "services.%s.calls: %q answers nobody" $name $callee) -}}
{{- end -}}
{{- end -}}
{{- range $key, $door := dict "operates" "operatorDoor" "logsIn" "accessDoor" -}}
{{- range $callee := index $settings $key -}}
{{- if not (index (index $root.Values.services $callee | default dict) $door) -}}
{{- fail (printf "services.%s.%s: %q has no %s" $name $key $callee $door) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- with $settings.autoscaling -}}
{{- if and .enabled (gt (int .minReplicas) (int .maxReplicas)) -}}
{{- fail (printf "services.%s.autoscaling: minReplicas is above maxReplicas" $name) -}}
{{- end -}}
{{- if and .enabled (eq .by "lag") -}}
{{- include "postroom.requireLag" (list $root $name $settings) -}}
{{- end -}}
{{- end -}}
{{- range $variable, $_ := $settings.secrets -}}
{{- if hasKey $settings.env $variable -}}
{{- fail (printf "services.%s: %s stands under env and under secrets; keep one" $name $variable) -}}
{{- end -}}
{{- end -}}
{{/* mergeOverwrite keeps the default's value over a null, and a null here means "take it away". */}}
{{- range $variable, $value := ($own.env | default dict) -}}
{{- if kindIs "invalid" $value -}}{{- $_ := set $settings.env $variable nil -}}{{- end -}}
{{- end -}}
{{- if and (hasKey $own "replicas") (kindIs "invalid" $own.replicas) -}}{{- $_ := set $settings "replicas" nil -}}{{- end -}}
{{- toJson $settings -}}
{{- end }}

{{/* (list $ name): grpc, http or nothing. */}}
{{- define "postroom.serves" -}}
{{- (index (index . 0).Values.services (index . 1)).serves | default (index . 0).Values.defaults.serves -}}
{{- end }}

{{/* (list $ name settings): what autoscaling by lag cannot go without. */}}
{{- define "postroom.requireLag" -}}
{{- $root := index . 0 -}}
{{- $name := index . 1 -}}
{{- $settings := index . 2 -}}
{{- if not $settings.consumes -}}
{{- fail (printf "services.%s.autoscaling.by: it consumes nothing, so there is no lag to scale by" $name) -}}
{{- end -}}
{{- range $settings.consumes -}}
{{- if gt (int $settings.autoscaling.maxReplicas) (int .partitions) -}}
{{- fail (printf "services.%s.autoscaling.maxReplicas: %s has %d partitions, and no more pods than that can read it" $name .topic (int .partitions)) -}}
{{- end -}}
{{- end -}}
{{- if not (or $root.Values.dev.engines.enabled $root.Values.engines.kafka.keda.bootstrapServers) -}}
{{- fail (printf "engines.kafka.keda.bootstrapServers: KEDA asks the brokers itself, and services.%s scales by lag" $name) -}}
{{- end -}}
{{- end }}

{{/* (list $ name settings): the count to write, or nothing where somebody else owns it. Whoever takes the count over finds
     it as it was: leaving it out would set it to one, at the switch or, with Helm 3, an upgrade later. */}}
{{- define "postroom.replicas" -}}
{{- $root := index . 0 -}}
{{- $settings := index . 2 -}}
{{- $isScaled := $settings.autoscaling.enabled -}}
{{- if or $isScaled (kindIs "invalid" (get $settings "replicas")) -}}
{{- with lookup "apps/v1" "Deployment" $root.Release.Namespace (printf "%s-%s" (include "postroom.fullname" $root) (index $ 1)) -}}
{{- $live := int .spec.replicas -}}
{{- ternary (max $live (int $settings.autoscaling.minReplicas)) $live $isScaled -}}
{{- end -}}
{{- else -}}
{{- $settings.replicas -}}
{{- end -}}
{{- end }}

{{/* The variable in which each engine's address is handed over. */}}
{{- define "postroom.engineVariables" -}}
mongodb: MONGODB_URI
redis: REDIS_URL
kafka: KAFKA_BROKERS
{{- end }}

{{/* (list $ name settings) */}}
{{- define "postroom.image" -}}
{{- $root := index . 0 -}}
{{- with (index . 2).image -}}
{{- $path := .repository | default (printf "postroom-%s" (index $ 1)) -}}
{{- $place := ternary (printf "%s/%s" .registry $path) $path (ne .registry "") -}}
{{- .ref | default (printf "%s:%s" $place (.tag | default $root.Chart.AppVersion)) -}}
{{- end -}}
{{- end }}

{{/* (list name settings): --max-old-space-size from the memory limit, or nothing where there is no limit. */}}
{{- define "postroom.heapFlag" -}}
{{- $settings := index . 1 -}}
{{- $limit := dig "limits" "memory" "" $settings.resources | toString -}}
{{- if $limit -}}
{{- if not (regexMatch "^[0-9]+(Mi|Gi)$" $limit) -}}
{{- fail (printf "services.%s.resources.limits.memory: the heap is sized from it, so write whole Mi or Gi, not %q" (index . 0) $limit) -}}
{{- end -}}
{{- $number := regexFind "^[0-9]+" $limit | int -}}
{{- $mebibytes := ternary (mul $number 1024) $number (hasSuffix "Gi" $limit) -}}
{{- printf "--max-old-space-size=%d" (div (mul $mebibytes (int $settings.heapPercent)) 100) -}}
{{- end -}}
{{- end }}
