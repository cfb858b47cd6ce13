// Command goyaml answers what sigs.k8s.io/yaml, the YAML library of kubectl and Helm, makes of texts.
//
// It takes a JSON list of texts on standard input and writes a list of answers: JSON text, or null where the library
// refuses. See ../update.py.
package main

import (
	"encoding/json"
	"os"

	"sigs.k8s.io/yaml"
)

func main() {
	var texts []string
	if err := json.NewDecoder(os.Stdin).Decode(&texts); err != nil {
		panic(err)
	}
	answers := make([]*string, len(texts))
	for i, text := range texts {
		if value, err := yaml.YAMLToJSON([]byte(text)); err == nil {
			answer := string(value)
			answers[i] = &answer
		}
	}
	if err := json.NewEncoder(os.Stdout).Encode(answers); err != nil {
		panic(err)
	}
}
